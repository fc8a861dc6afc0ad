import type { OutputOf } from '../../contract/infer.js';
import { PvRelationshipMarkData } from '../../contract/records/mark.js';
import { PvRelationData } from '../../contract/records/relation.js';
import { emptyId } from '../dataset/known.js';
import { countersOf, everyTabPage } from '../store/counters.js';
import { findById, readPage, recordsWhere } from '../store/find.js';
import type { Store } from '../store/open.js';
import type { Stored } from '../store/rows.js';
import { included, type Include } from './activities.js';
import { answered, type Handler } from './handler.js';
import { idOf } from './known.js';
import { pageOf } from './paging.js';
import { periodOf } from './period.js';

type Relation = OutputOf<typeof PvRelationData>;

/** Relations with what was asked for beside them. */
const filled = (store: Store, rows: readonly Stored<Relation>[], include: Include): readonly Relation[] => {
  const along = included(store, { record: PvRelationData, rows }, include);
  return rows.map(({ seq, record }) => ({ ...record, ...along(seq) }));
};

/** Interface document, Endpoints, RelationGet. */
export const RelationGet: Handler<'RelationGet'> = ({ store }, input) => {
  const found = findById(store, PvRelationData, input.relationId ?? emptyId);
  if (found === undefined) return answered({ Relation: null, Counters: null });
  const [Relation = null] = filled(store, [found], input);
  const Counters =
    input.includeCounters === true ? everyTabPage(countersOf(store, PvRelationData, [found])(found.seq)) : null;
  return answered({ Relation, Counters });
};

/** Interface document, Endpoints, RelationGetAll. */
export const RelationGetAll: Handler<'RelationGetAll'> = ({ store }, input) =>
  answered({ Relations: filled(store, readPage(store, PvRelationData, pageOf(input)), input) });

/** Interface document, Endpoints, RelationGetMarksModified; Additional rules, 3. */
export const RelationGetMarksModified: Handler<'RelationGetMarksModified'> = ({ store }, input) => {
  const { from, to } = periodOf(input);
  const found = findById(store, PvRelationData, idOf(input.relationId));
  if (found === undefined) return answered({ Relation: null, RelationshipMarks: [] });
  const where =
    '"RelationshipId" IN (SELECT "Id" FROM "PvRelationshipData" WHERE "ChildRelationId" = ?) AND "DateKey" BETWEEN ? AND ?';
  const values = [idOf(input.relationId), from, to];
  const RelationshipMarks = recordsWhere(store, PvRelationshipMarkData, { where, values });
  return answered({ Relation: found.record, RelationshipMarks });
};
