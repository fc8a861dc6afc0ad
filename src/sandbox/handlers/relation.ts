import type { OutputOf } from '../../contract/infer.js';
import { PvActivityData } from '../../contract/records/activity.js';
import { PvRelationshipMarkData } from '../../contract/records/mark.js';
import { PvRelationData, PvTelephoneNumberData, type TelephoneBookEntry } from '../../contract/records/relation.js';
import { emptyId } from '../dataset/known.js';
import { countersOf, everyTabPage, findById, readPage, readRows, readWhere, recordsWhere } from '../store/records.js';
import type { Store } from '../store/open.js';
import type { Stored } from '../store/rows.js';
import { type Include, included, listed } from './activities.js';
import { type Handler, idOf, known } from './handler.js';
import { pageOf, periodOf, type ReceivedPaging } from './paging.js';

type Relation = OutputOf<typeof PvRelationData>;

/** Relations with the optional members that were asked for. */
const filled = (store: Store, rows: readonly Stored<Relation>[], include: Include): readonly Relation[] => {
  // Rows have neither until it is asked for.
  if (include.includeFields !== true && include.includeCounters !== true) return rows.map(({ record }) => record);
  const along = included(store, { record: PvRelationData, rows }, include);
  return rows.map(({ seq, record }) => ({ ...record, ...along(seq) }));
};

/** Interface document, Endpoints, RelationGet. */
export const RelationGet: Handler<'RelationGet'> = ({ store }, input) => {
  const found = findById(store, PvRelationData, input.relationId ?? emptyId);
  if (found === undefined) return { Relation: null, Counters: null };
  const [Relation = null] = filled(store, [found], input);
  const Counters =
    input.includeCounters === true ? everyTabPage(countersOf(store, PvRelationData, [found])(found.seq)) : null;
  return { Relation, Counters };
};

/** Interface document, Endpoints, RelationGetAll. */
export const RelationGetAll: Handler<'RelationGetAll'> = ({ store }, input) => {
  const page = pageOf(input);
  // Counters are counted for all rows of a page at once.
  if (input.includeCounters === true) return { Relations: filled(store, readRows(store, PvRelationData, page), input) };
  return { Relations: readPage(store, PvRelationData, { ...page, withFields: input.includeFields === true }) };
};

/** Interface document, Endpoints, RelationGetMarksModified; Additional rules, 3. */
export const RelationGetMarksModified: Handler<'RelationGetMarksModified'> = ({ store }, input) => {
  const { from, to } = periodOf(input);
  const found = findById(store, PvRelationData, idOf(input.relationId));
  if (found === undefined) return { Relation: null, RelationshipMarks: [] };
  const where =
    '"RelationshipSeq" IN (SELECT seq FROM "PvRelationshipData" WHERE "ChildSeq" = ?) AND "DateKey" BETWEEN ? AND ?';
  const values = [found.seq, from, to];
  const RelationshipMarks = recordsWhere(store, PvRelationshipMarkData, { where, values });
  return { Relation: found.record, RelationshipMarks };
};

const children = '(SELECT seq FROM "PvRelationshipData" WHERE "ChildSeq" = ?)';

/** Activities of a relation (assumptions.json, "What is an activity of a relation"). */
const ofRelation = `("ParentSeq" IN ${children} OR "ChildSeq" IN ${children})`;

const ofSomeWorkflows =
  ' AND "WorkflowSeq" IN (SELECT seq FROM "Workflow" WHERE Id IN (SELECT value FROM json_each(?)))';

/** Interface document, Endpoints, RelationGetActivities. */
export const RelationGetActivities: Handler<'RelationGetActivities'> = ({ store }, input) => {
  const { seq } = known(store, PvRelationData, { id: input.relationId, what: 'relation' });
  const rows = readWhere(store, PvActivityData, { where: ofRelation, values: [seq, seq] });
  return { Activities: listed(store, rows, input) };
};

/** Interface document, Endpoints, RelationGetActivitiesModified_V2; Additional rules, 3. */
export const RelationGetActivitiesModified_V2: Handler<'RelationGetActivitiesModified_V2'> = ({ store }, input) => {
  const { seq } = known(store, PvRelationData, { id: input.relationId, what: 'relation' });
  const { from, to } = periodOf(input);
  const workflows = (input.workflowIds ?? []).map(idOf);
  const ofWorkflows = workflows.length === 0 ? '' : ofSomeWorkflows;
  const rows = readWhere(store, PvActivityData, {
    where: `${ofRelation} AND "ModifiedKey" BETWEEN ? AND ?${ofWorkflows}`,
    values: [seq, seq, from, to, ...(workflows.length === 0 ? [] : [JSON.stringify(workflows)])],
    page: pageOf(input),
  });
  return { Activities: listed(store, rows, input) };
};

/** One page of relations that have a telephone number, with their numbers. */
function entries(store: Store, input: ReceivedPaging): readonly OutputOf<typeof TelephoneBookEntry>[] {
  const where = 'EXISTS (SELECT 1 FROM "PvTelephoneNumberData" t WHERE t."RelationSeq" = "PvRelationData".seq)';
  const ofOne = '"RelationSeq" = ?';
  return readWhere(store, PvRelationData, { where, page: pageOf(input) }).map(({ seq, record }) => ({
    relation: record,
    TelephoneNumbers: recordsWhere(store, PvTelephoneNumberData, { where: ofOne, values: [seq] }),
  }));
}

/** Interface document, Endpoints, RelationGetTelephoneBook. */
export const RelationGetTelephoneBook: Handler<'RelationGetTelephoneBook'> = ({ store }, input) => ({
  TelephoneBookEntries: entries(store, input),
});

/** The interface document names it as a replacement only (assumptions.json, "Shapes that the document does not show"). */
export const RelationGetTelephoneBook_V2: Handler<'RelationGetTelephoneBook_V2'> = RelationGetTelephoneBook;
