import type { OutputOf } from '../../contract/infer.js';
import { PvActivityData } from '../../contract/records/activity.js';
import { PvNotificationData } from '../../contract/records/notification.js';
import { PvRelationshipData } from '../../contract/records/relationship.js';
import { instantKey } from '../../lexical/time/instant-key.js';
import type { Stored } from '../store/rows.js';
import { insertRecord, updateRecord } from '../store/records.js';
import type { Activity } from './activities.js';
import { type Call, idOf } from './handler.js';

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
export function saveActivity(call: Call, { seq, record }: Pick<Stored<Activity>, 'seq' | 'record'>, lists: readonly string[] = []): void {
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
export function notify({ store, newId }: Call, { seq, record: activity }: Pick<Stored<Activity>, 'seq' | 'record'>): void {
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
