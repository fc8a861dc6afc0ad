import { defineOperations, list, opt } from '../build.js';
import { PvMarkData } from '../records/mark.js';

/** Interface document, Endpoints, Datastores, marks, workflows, notifications. */
export const markOperations = defineOperations({
  MarkGetAll: {
    doc: 'Lists all marks.',
    access: 'read',
    parameters: {},
    result: { Marks: opt(list(PvMarkData), 'The marks.') },
  },
  CampaignMarkGetAll: {
    doc: 'Lists the marks that campaigns use.',
    access: 'read',
    parameters: {},
    result: { Marks: opt(list(PvMarkData), 'The campaign marks.') },
  },
});
