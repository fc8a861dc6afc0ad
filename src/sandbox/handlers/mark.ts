import { PvMarkData } from '../../contract/records/mark.js';
import { recordsWhere } from '../store/find.js';
import { answered, type Handler } from './handler.js';

/** Interface document, Endpoints, MarkGetAll; campaign marks are marks too. */
export const MarkGetAll: Handler<'MarkGetAll'> = ({ store }) =>
  answered({ Marks: recordsWhere(store, PvMarkData, {}) });

/** Interface document, Endpoints, CampaignMarkGetAll. */
export const CampaignMarkGetAll: Handler<'CampaignMarkGetAll'> = ({ store }) =>
  answered({ Marks: recordsWhere(store, PvMarkData, { where: '"IsCampaign" = 1' }) });
