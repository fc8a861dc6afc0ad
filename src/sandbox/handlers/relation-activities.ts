import { PvActivityData } from '../../contract/records/activity.js';
import { PvRelationData } from '../../contract/records/relation.js';
import { readWhere } from '../store/find.js';
import { listed } from './activities.js';
import { answered, type Handler } from './handler.js';
import { idOf, known } from './known.js';
import { pageOf } from './paging.js';
import { periodOf } from './period.js';

const children = '(SELECT "Id" FROM "PvRelationshipData" WHERE "ChildRelationId" = ?)';

/** Activities of a relation (assumptions.ts, "What is an activity of a relation"). */
const ofRelation = `("Settings_ParentRelationshipId" IN ${children} OR "Settings_ChildRelationshipId" IN ${children})`;

/** Interface document, Endpoints, RelationGetActivities. */
export const RelationGetActivities: Handler<'RelationGetActivities'> = ({ store }, input) => {
  known(store, PvRelationData, { id: input.relationId, what: 'relation' });
  const id = idOf(input.relationId);
  const rows = readWhere(store, PvActivityData, { where: ofRelation, values: [id, id] });
  return answered({ Activities: listed(store, rows, input) });
};

/** Interface document, Endpoints, RelationGetActivitiesModified_V2; Additional rules, 3. */
export const RelationGetActivitiesModified_V2: Handler<'RelationGetActivitiesModified_V2'> = ({ store }, input) => {
  known(store, PvRelationData, { id: input.relationId, what: 'relation' });
  const id = idOf(input.relationId);
  const { from, to } = periodOf(input);
  const workflows = (input.workflowIds ?? []).map(idOf);
  const ofWorkflows = workflows.length === 0 ? '' : ' AND "Settings_WorkflowId" IN (SELECT value FROM json_each(?))';
  const rows = readWhere(store, PvActivityData, {
    where: `${ofRelation} AND "ModifiedKey" BETWEEN ? AND ?${ofWorkflows}`,
    values: [id, id, from, to, ...(workflows.length === 0 ? [] : [JSON.stringify(workflows)])],
    page: pageOf(input),
  });
  return answered({ Activities: listed(store, rows, input) });
};
