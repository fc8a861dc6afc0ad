import { operations } from '../../contract/service.js';

const loadRows = async () => (await import('./rows.js')).activityRows;

/** How `writes undo` restores the rows of a batch of activities; a single write does not read what was there before. */
export const activityUndo = { operation: operations.ActivityUpdate, rows: loadRows };
