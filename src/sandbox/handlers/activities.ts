import { PvActivityData } from '../../contract/records/activity.js';
import type { PvRelationData } from '../../contract/records/relation.js';
import { PvRelationshipData } from '../../contract/records/relationship.js';
import type { OutputOf } from '../../contract/infer.js';
import { type Counter, countersOf, fieldValuesOf, findById } from '../store/records.js';
import type { Store } from '../store/open.js';
import { type Along, recordsAt } from '../store/record-list.js';
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

/** CounterValues of relations or activities in a list, where asked for; otherwise nil. */
export function countersAlong(
  store: Store,
  record: typeof PvActivityData | typeof PvRelationData,
  { includeCounters }: Include,
): Along<{ readonly CounterValues: readonly Counter[] | null }> {
  if (includeCounters !== true) return () => () => ({ CounterValues: null });
  return (seqs) => {
    const counters = countersOf(store, record, seqs);
    return (at) => ({ CounterValues: counters(at) });
  };
}

/** Activities for a list, in ascending order: nested members are nil, except those asked for (assumptions.json, "includeFields"). */
export function listed(store: Store, seqs: readonly number[], include: Include): readonly Activity[] {
  const counters = countersAlong(store, PvActivityData, include)(seqs);
  const along = () => (at: number) => ({ ...leftOut, ...counters(at) });
  return recordsAt(store, PvActivityData, { seqs, withFields: include.includeFields === true, along });
}

function relationship(store: Store, id: string | null | undefined): OutputOf<typeof PvRelationshipData> | null {
  const found = findById(store, PvRelationshipData, id ?? '');
  if (found === undefined) return null;
  return { ...found.record, FieldValues: fieldValuesOf(store, PvRelationshipData, found) };
}

/** One activity with all its nested members. */
export function whole(store: Store, row: Stored<Activity>): Activity {
  const { seq, record } = row;
  return {
    ...record,
    ParentRelationship: relationship(store, record.Settings?.ParentRelationshipId),
    ChildRelationship: relationship(store, record.Settings?.ChildRelationshipId),
    FieldValues: fieldValuesOf(store, PvActivityData, row),
    CounterValues: countersOf(store, PvActivityData, [seq])(0),
  };
}

/** The kind of activity that a row is. */
export function entityTypeOf(store: Store, seq: number): string {
  const sql = 'SELECT Id FROM "EntityType" WHERE seq = (SELECT "EntityTypeSeq" FROM "PvActivityData" WHERE seq = ?)';
  const [found] = store.statement(sql).first(seq) ?? [];
  return String(found);
}
