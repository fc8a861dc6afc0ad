import { PvNotificationData } from '../../contract/records/notification.js';
import { insertRecord } from '../store/write.js';
import type { Activity } from './activities.js';
import type { Call } from './handler.js';
import { idOf } from './known.js';

/** Where an activity stands for whom it is told (assumptions.ts, "Notifications"). */
function locationOf({ FollowUp, ActivityAuditData }: Activity): 'Queue' | 'Todo' | 'Closed' {
  if (typeof ActivityAuditData?.ClosedAt === 'string') return 'Closed';
  return typeof FollowUp?.PlacedInQueueId === 'string' ? 'Queue' : 'Todo';
}

/** Lets the notification of an activity follow its owner and its queue (assumptions.ts, "Notifications"). */
export function notify({ store, newId }: Call, activity: Activity): void {
  const ActivityId = idOf(activity.Id);
  const owner = activity.FollowUp?.OwnerUserId ?? null;
  const ActivityLocation = locationOf(activity);
  if (owner === null && ActivityLocation === 'Todo') {
    store.statement('DELETE FROM "PvNotificationData" WHERE "ActivityId" = ?').run(ActivityId);
    return;
  }
  const isThere = store.statement('SELECT 1 FROM "PvNotificationData" WHERE "ActivityId" = ?').first(ActivityId);
  if (isThere !== undefined) {
    const sql =
      'UPDATE "PvNotificationData" SET "ActivityLocation" = ?, "UserId" = coalesce(?, "UserId") WHERE "ActivityId" = ?';
    store.statement(sql).run(ActivityLocation, owner === null ? null : idOf(owner), ActivityId);
  } else if (owner !== null) {
    const extra = { ActivityId, UserId: idOf(owner) };
    insertRecord(store, PvNotificationData, { value: { Id: newId(), ActivityLocation }, extra });
  }
}
