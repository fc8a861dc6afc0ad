import type { OutputOf } from '../../contract/infer.js';
import { PvNotificationData, PvActivityData } from '../../contract/records/activity.js';
import { PvRelationshipData, type PvRelationData } from '../../contract/records/relation.js';
import { instantKey } from '../../core/text/time/datetime.js';
import type { Stored } from '../store/rows.js';
import {
  type Counter,
  countersOf,
  fieldValuesOf,
  findById,
  insertRecord,
  recordsAt,
  updateRecord,
} from '../store/records.js';
import { type Call, idOf } from './handler.js';
import type { Store } from '../store/open.js';

/** An activity of a result. */
export type Activity = OutputOf<typeof PvActivityData>;

/** Which optional members a result has. */
export interface Include {
  readonly includeFields?: boolean | null;
  readonly includeCounters?: boolean | null;
}

/** Nested members that are nil in lists (interface document, PvActivityData). */
const omitted = {
  FollowUp: null,
  Settings: null,
  ParentRelationship: null,
  ChildRelationship: null,
  AuditData: null,
  ActivityAuditData: null,
} as const;

/** Gives the CounterValues of relations or activities by their index, where asked for; otherwise nil. */
export function countersAlong(
  store: Store,
  record: typeof PvActivityData | typeof PvRelationData,
  { seqs, includeCounters }: Include & { readonly seqs: readonly number[] },
): (at: number) => { readonly CounterValues: readonly Counter[] | null } {
  const counters = includeCounters === true ? countersOf(store, record, seqs) : [];
  return (at) => ({ CounterValues: counters[at] ?? null });
}

/** Activities for a list, in ascending order: nested members are nil, except those asked for (assumptions.json, "includeFields"). */
export function listed(store: Store, seqs: readonly number[], include: Include): readonly Activity[] {
  const counters = countersAlong(store, PvActivityData, { seqs, ...include });
  const records = recordsAt(store, PvActivityData, { seqs, withFields: include.includeFields === true });
  return records.map((record, at) => ({ ...record, ...omitted, ...counters(at) }));
}

function relationship(store: Store, id: string | null | undefined): OutputOf<typeof PvRelationshipData> | null {
  const stored = findById(store, PvRelationshipData, id ?? '');
  if (stored === undefined) return null;
  return { ...stored.record, FieldValues: fieldValuesOf(store, PvRelationshipData, stored) };
}

/** One activity with all its nested members. */
export function whole(store: Store, row: Stored<Activity>): Activity {
  const { seq, record } = row;
  return {
    ...record,
    ParentRelationship: relationship(store, record.Settings?.ParentRelationshipId),
    ChildRelationship: relationship(store, record.Settings?.ChildRelationshipId),
    FieldValues: fieldValuesOf(store, PvActivityData, row),
    ...countersAlong(store, PvActivityData, { seqs: [seq], includeCounters: true })(0),
  };
}

/** The kind of activity that a row is. */
export function entityTypeOf(store: Store, seq: number): string {
  const sql = 'SELECT Id FROM "EntityType" WHERE seq = (SELECT "EntityTypeSeq" FROM "PvActivityData" WHERE seq = ?)';
  const [value] = store.statement(sql).first(seq) ?? [];
  return String(value);
}

type Relationship = OutputOf<typeof PvRelationshipData>;

/** Now as a dateTime of the wire, in UTC. */
export const nowText = (call: Call): string =>
  call
    .now()
    .toISOString()
    .replace(/\.?0*Z$/, 'Z');

/** Stores who changed a relationship and when (assumptions.json, "What counts as a change"). */
export function touchRelationship(call: Call, { seq, record }: Pick<Stored<Relationship>, 'seq' | 'record'>): void {
  const AuditData = { ...record.AuditData, ModifiedAt: nowText(call), ModifiedByUser: call.userId };
  updateRecord(call.store, PvRelationshipData, { seq, value: { ...record, AuditData } });
}

/** Overwrites an activity, with who changed it and when (assumptions.json, "What counts as a change"). */
export function saveActivity(
  call: Call,
  { seq, record }: Pick<Stored<Activity>, 'seq' | 'record'>,
  lists: readonly string[] = [],
): void {
  const ModifiedAt = nowText(call);
  const AuditData = { ...record.AuditData, ModifiedAt, ModifiedByUser: call.userId };
  updateRecord(call.store, PvActivityData, {
    seq,
    value: { ...record, AuditData },
    extra: { ModifiedKey: instantKey(ModifiedAt) ?? '' },
    lists,
  });
}

/** Where the notification of an activity says that it is (assumptions.json, "Notifications"). */
function locationOf({ FollowUp, ActivityAuditData }: Activity): 'Queue' | 'Todo' | 'Closed' {
  if (typeof ActivityAuditData?.ClosedAt === 'string') return 'Closed';
  return typeof FollowUp?.PlacedInQueueId === 'string' ? 'Queue' : 'Todo';
}

/** Updates the notification of an activity to its owner and its queue (assumptions.json, "Notifications"). */
export function notify(
  { store, newId }: Call,
  { seq, record: activity }: Pick<Stored<Activity>, 'seq' | 'record'>,
): void {
  const owner = activity.FollowUp?.OwnerUserId ?? null;
  const ActivityLocation = locationOf(activity);
  if (owner === null && ActivityLocation === 'Todo') {
    store.statement('DELETE FROM "PvNotificationData" WHERE "ActivitySeq" = ?').run(seq);
    return;
  }
  const isThere = store.statement('SELECT 1 FROM "PvNotificationData" WHERE "ActivitySeq" = ?').first(seq);
  if (isThere !== undefined) {
    const sql =
      'UPDATE "PvNotificationData" SET "ActivityLocation" = ?, "UserId" = coalesce(?, "UserId") WHERE "ActivitySeq" = ?';
    store.statement(sql).run(ActivityLocation, owner === null ? null : idOf(owner), seq);
  } else if (owner !== null) {
    const extra = { ActivityId: idOf(activity.Id), UserId: idOf(owner), ActivitySeq: seq };
    insertRecord(store, PvNotificationData, { value: { Id: newId(), ActivityLocation }, extra });
  }
}
