import {
  PvLineData,
  PvRelationshipData,
  PvRelationshipMarkData,
  PvRelationData,
  PvTelephoneNumberData,
} from '../../contract/records/relation.js';
import { PvFieldData, PvLabelItemData } from '../../contract/records/shared.js';
import {
  everyTabPage,
  fieldValuesOf,
  findById,
  insertRecord,
  readPage,
  recordsAt,
  recordsWhere,
  seqsWhere,
  limitOf,
} from '../store/records.js';
import { touchRelationship, type Include, countersAlong, listed } from './activity-lists.js';
import { changedValues, checkComplete, checkWritable, readFieldValues } from './field-values.js';
import {
  type Call,
  handlersOf,
  type ReceivedPaging,
  checkEntityType,
  idOf,
  known,
  pageOf,
  readPeriod,
} from './handler.js';
import type { Output, OutputOf } from '../../contract/infer.js';
import type { operations } from '../../contract/service.js';
import { PvActivityData } from '../../contract/records/activity.js';
import { emptyId } from '../dataset/known.js';
import type { Store } from '../store/open.js';

type Relation = OutputOf<typeof PvRelationData>;

function filled(store: Store, seqs: readonly number[], include: Include): readonly Relation[] {
  const counters = countersAlong(store, PvRelationData, { seqs, ...include });
  const records = recordsAt(store, PvRelationData, { seqs, withFields: include.includeFields === true });
  return records.map((record, at) => ({ ...record, ...counters(at) }));
}

const children = '(SELECT seq FROM "PvRelationshipData" WHERE "ChildSeq" = ?)';

/** Activities of a relation (assumptions.json, "What is an activity of a relation"). */
const ofRelation = `("ParentSeq" IN ${children} OR "ChildSeq" IN ${children})`;

const ofSomeWorkflows =
  ' AND "WorkflowSeq" IN (SELECT seq FROM "Workflow" WHERE Id IN (SELECT value FROM json_each(?)))';

function numbersOf(
  store: Store,
  relations: readonly number[],
): ReadonlyMap<number | undefined, readonly OutputOf<typeof PvTelephoneNumberData>[]> {
  const sql =
    'SELECT seq, "RelationSeq" FROM "PvTelephoneNumberData" WHERE "RelationSeq" IN (SELECT value FROM json_each(?)) ORDER BY seq';
  const rows = store.statement(sql).all(JSON.stringify(relations));
  const seqs = rows.map(([seq]) => Number(seq));
  const numbers = recordsAt(store, PvTelephoneNumberData, { seqs, withFields: false });
  const byRelation = new Map<number, OutputOf<typeof PvTelephoneNumberData>[]>();
  for (const [at, number] of numbers.entries()) {
    const relation = Number(rows[at]?.[1]);
    byRelation.set(relation, [...(byRelation.get(relation) ?? []), number]);
  }
  return byRelation;
}

const withNumber =
  'SELECT DISTINCT "RelationSeq" FROM "PvTelephoneNumberData" WHERE "RelationSeq" IN (SELECT seq FROM "PvRelationData") ORDER BY "RelationSeq" LIMIT ? OFFSET ?';

/** One page of relations that have a telephone number, in the order of creation, with their numbers. */
function telephoneBook({ store }: Call, input: ReceivedPaging): Output<typeof operations.RelationGetTelephoneBook> {
  const { before, rows } = limitOf(pageOf(input));
  const seqs = store
    .statement(withNumber)
    .all(rows, before)
    .map(([seq]) => Number(seq));
  const numbers = numbersOf(store, seqs);
  const relations = recordsAt(store, PvRelationData, { seqs, withFields: false });
  return {
    TelephoneBookEntries: relations.map((relation, at) => ({
      relation,
      TelephoneNumbers: numbers.get(seqs[at]) ?? [],
    })),
  };
}

/** Labels of a field, on a relationship or on its relation (assumptions.json, "Labels"). */
const labelled = '"FieldId" = ? AND "RecordId" IN (?, ?)';

/** Operations on relations and relationships (interface document, Endpoints). */
export const relationHandlers = handlersOf({
  RelationGet: ({ store }, input) => {
    const stored = findById(store, PvRelationData, input.relationId ?? emptyId);
    if (stored === undefined) return { Relation: null, Counters: null };
    const { record, seq } = stored;
    const { CounterValues } = countersAlong(store, PvRelationData, { seqs: [seq], ...input })(0);
    const Relation: Relation = {
      ...record,
      ...(input.includeFields === true ? { FieldValues: fieldValuesOf(store, PvRelationData, stored) } : {}),
      CounterValues,
    };
    return { Relation, Counters: CounterValues === null ? null : everyTabPage(CounterValues) };
  },
  RelationGetAll: ({ store }, input) => {
    const page = pageOf(input);
    // Counters are counted for all rows of a page at once.
    if (input.includeCounters === true)
      return { Relations: filled(store, seqsWhere(store, PvRelationData, { limit: limitOf(page) }), input) };
    return { Relations: readPage(store, PvRelationData, { ...page, withFields: input.includeFields === true }) };
  },
  // Additional rules, 3.
  RelationGetMarksModified: ({ store }, input) => {
    const { from, to } = readPeriod(input);
    const relation = findById(store, PvRelationData, idOf(input.relationId));
    if (relation === undefined) return { Relation: null, RelationshipMarks: [] };
    const where =
      '"RelationshipSeq" IN (SELECT seq FROM "PvRelationshipData" WHERE "ChildSeq" = ?) AND "DateKey" BETWEEN ? AND ?';
    const values = [relation.seq, from, to];
    const RelationshipMarks = recordsWhere(store, PvRelationshipMarkData, { where, values });
    return { Relation: relation.record, RelationshipMarks };
  },
  RelationGetActivities: ({ store }, input) => {
    const { seq } = known(store, PvRelationData, { id: input.relationId, what: 'relation' });
    const seqs = seqsWhere(store, PvActivityData, { where: ofRelation, values: [seq, seq] });
    return { Activities: listed(store, seqs, input) };
  },
  // Additional rules, 3.
  RelationGetActivitiesModified_V2: ({ store }, input) => {
    const { seq } = known(store, PvRelationData, { id: input.relationId, what: 'relation' });
    const { from, to } = readPeriod(input);
    const workflows = (input.workflowIds ?? []).map(idOf);
    const ofWorkflows = workflows.length === 0 ? '' : ofSomeWorkflows;
    const seqs = seqsWhere(store, PvActivityData, {
      where: `${ofRelation} AND "ModifiedKey" BETWEEN ? AND ?${ofWorkflows}`,
      values: [seq, seq, from, to, ...(workflows.length === 0 ? [] : [JSON.stringify(workflows)])],
      limit: limitOf(pageOf(input)),
    });
    return { Activities: listed(store, seqs, input) };
  },
  RelationGetTelephoneBook: telephoneBook,
  // The interface document names it as a replacement only (assumptions.json, "Shapes that the document does not show").
  RelationGetTelephoneBook_V2: telephoneBook,
  RelationshipGetAll: ({ store }, input) => ({
    Relationships: readPage(store, PvRelationshipData, { ...pageOf(input), withFields: input.includeFields === true }),
  }),
  RelationshipFieldGetLabels: ({ store }, input) => {
    const { record } = known(store, PvRelationshipData, { id: input.relationshipId, what: 'relationship' });
    known(store, PvFieldData, { id: input.fieldId, what: 'field' });
    const values = [idOf(input.fieldId), idOf(record.Id), idOf(record.ChildRelationId)];
    return { Labels: recordsWhere(store, PvLabelItemData, { where: labelled, values }) };
  },
  RelationshipAddLine: (call, input) => {
    const { store, newId } = call;
    const relationship = known(store, PvRelationshipData, { id: input.RelationshipId, what: 'relationship' });
    checkEntityType(store, input.entityTypeId, 'Line');
    checkEntityType(store, input.datastoreId, 'Datastore');
    const EntityTypeId = idOf(input.entityTypeId);
    const inputs = readFieldValues(store, EntityTypeId, input.fieldValues);
    checkWritable(store, inputs);
    checkComplete(store, EntityTypeId, inputs);
    const LineData = { Id: newId(), FieldValues: { Items: changedValues([], inputs) } };
    insertRecord(store, PvLineData, {
      value: LineData,
      extra: {
        RelationshipId: idOf(input.RelationshipId),
        EntityTypeId,
        DatastoreId: idOf(input.datastoreId),
        RelationshipSeq: relationship.seq,
      },
    });
    touchRelationship(call, relationship);
    return { LineData };
  },
});
