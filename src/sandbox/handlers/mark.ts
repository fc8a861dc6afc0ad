import { PvMarkData } from '../../contract/records/mark.js';
import { readWhere } from '../store/find.js';
import { answered, type Handler } from './handler.js';

/** Interface document, Endpoints, MarkGetAll; campaign marks are marks too. */
export const MarkGetAll: Handler<'MarkGetAll'> = ({ store }) =>
  answered({ Marks: readWhere(store, PvMarkData, { where: 'TRUE' }).map(({ record }) => record) });

/** Interface document, Endpoints, CampaignMarkGetAll. */
export const CampaignMarkGetAll: Handler<'CampaignMarkGetAll'> = ({ store }) =>
  answered({ Marks: readWhere(store, PvMarkData, { where: '"IsCampaign" = 1' }).map(({ record }) => record) });
