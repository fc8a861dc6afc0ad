import { PvActivityData } from '../../contract/records/activity.js';
import type { PvRelationData } from '../../contract/records/relation.js';
import { PvRelationshipData } from '../../contract/records/relationship.js';
import type { OutputOf } from '../../contract/infer.js';
import { countersOf, fieldValuesOf, findById } from '../store/records.js';
import type { Store } from '../store/open.js';
import type { Stored } from '../store/rows.js';

/** An activity of a result. */
export type Activity = OutputOf<typeof PvActivityData>;

/** Which optional members a result has. */
export interface Include {
  readonly includeFields?: boolean | null;
  readonly includeCounters?: boolean | null;
}

/** Nested members that are nil in lists (interface document, PvActivityData). */
const leftOut = {
  FollowUp: null,
  Settings: null,
  ParentRelationship: null,
  ChildRelationship: null,
  AuditData: null,
  ActivityAuditData: null,
} as const;

/** FieldValues and CounterValues of rows where asked for, otherwise nil (assumptions.json, "includeFields"). */
export function included(
  store: Store,
  { record, rows }: { record: typeof PvActivityData | typeof PvRelationData; rows: readonly Stored<unknown>[] },
  { includeFields, includeCounters }: Include,
): (seq: number) => Pick<Activity, 'FieldValues' | 'CounterValues'> {
  const values = includeFields === true ? fieldValuesOf(store, record, rows) : () => null;
  const counters = includeCounters === true ? countersOf(store, record, rows) : () => null;
  return (seq) => ({ FieldValues: values(seq), CounterValues: counters(seq) });
}

/** Activities for a list: nested members are nil, except those asked for. */
export function listed(store: Store, rows: readonly Stored<Activity>[], include: Include): readonly Activity[] {
  const along = included(store, { record: PvActivityData, rows }, include);
  return rows.map(({ seq, record }) => ({ ...record, ...leftOut, ...along(seq) }));
}

function relationship(store: Store, id: string | null | undefined): OutputOf<typeof PvRelationshipData> | null {
  const found = findById(store, PvRelationshipData, id ?? '');
  if (found === undefined) return null;
  return { ...found.record, FieldValues: fieldValuesOf(store, PvRelationshipData, [found])(found.seq) };
}

/** One activity with all its nested members. */
export function whole(store: Store, row: Stored<Activity>): Activity {
  const { seq, record } = row;
  return {
    ...record,
    ParentRelationship: relationship(store, record.Settings?.ParentRelationshipId),
    ChildRelationship: relationship(store, record.Settings?.ChildRelationshipId),
    ...included(store, { record: PvActivityData, rows: [row] }, { includeFields: true, includeCounters: true })(seq),
  };
}

/** The kind of activity that a row is. */
export function entityTypeOf(store: Store, seq: number): string {
  const sql = 'SELECT Id FROM "EntityType" WHERE seq = (SELECT "EntityTypeSeq" FROM "PvActivityData" WHERE seq = ?)';
  const [found] = store.statement(sql).first(seq) ?? [];
  return String(found);
}
