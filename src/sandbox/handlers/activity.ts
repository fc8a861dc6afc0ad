import { PvActivityData, PvInvolvedData } from '../../contract/records/activity.js';
import { PvFieldData, PvLabelItemData } from '../../contract/records/shared.js';
import { readWhere, recordsWhere } from '../store/find.js';
import { listed } from './activities.js';
import { answered, type Handler } from './handler.js';
import { check, idOf, known } from './known.js';

/** Interface document, Endpoints, ActivityGetFields. */
export const ActivityGetFields: Handler<'ActivityGetFields'> = ({ store }, input) => {
  check(store, 'Workflow', { id: input.workflowId, what: 'workflow' });
  const where = '"EntityTypeId" = (SELECT EntityTypeId FROM "Workflow" WHERE Id = ?)';
  return answered({ Fields: recordsWhere(store, PvFieldData, { where, values: [idOf(input.workflowId)] }) });
};

/** Interface document, Endpoints, ActivityGetConnectedActivities. */
export const ActivityGetConnectedActivities: Handler<'ActivityGetConnectedActivities'> = ({ store }, input) => {
  const { record } = known(store, PvActivityData, { id: input.activityId, what: 'activity' });
  const where = '"Id" IN (SELECT ConnectedId FROM "ActivityConnection" WHERE ActivityId = ?)';
  const rows = readWhere(store, PvActivityData, { where, values: [idOf(record.Id)] });
  return answered({ Activities: listed(store, rows, input) });
};

/** Interface document, Endpoints, ActivityGetInvolveds. */
export const ActivityGetInvolveds: Handler<'ActivityGetInvolveds'> = ({ store }, input) => {
  const { record } = known(store, PvActivityData, { id: input.activityId, what: 'activity' });
  const values = [idOf(record.Id)];
  return answered({ Involveds: recordsWhere(store, PvInvolvedData, { where: '"ActivityId" = ?', values }) });
};

/** Labels of a field, on an activity or on its attachments (assumptions.ts, "Labels"). */
const labelled =
  '"FieldId" = ? AND "RecordId" IN (SELECT ? UNION SELECT "Id" FROM "Attachment" WHERE "ActivityId" = ?)';

/** Interface document, Endpoints, ActivityGetLabels. */
export const ActivityGetLabels: Handler<'ActivityGetLabels'> = ({ store }, input) => {
  known(store, PvActivityData, { id: input.activityId, what: 'activity' });
  known(store, PvFieldData, { id: input.fieldId, what: 'field' });
  const id = idOf(input.activityId);
  const values = [idOf(input.fieldId), id, id];
  return answered({ Labels: recordsWhere(store, PvLabelItemData, { where: labelled, values }) });
};
