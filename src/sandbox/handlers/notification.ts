import { PvActivityData } from '../../contract/records/activity.js';
import { PvNotificationData } from '../../contract/records/notification.js';
import { type Handler, idOf, isKnown, refuse } from './handler.js';
import { recordsAt } from '../store/record-list.js';
import { seqsWhere } from '../store/records.js';
import type { Store } from '../store/open.js';
import { listed } from './activities.js';
import type { OutputOf } from '../../contract/infer.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { inBatches } from '../../plain/batches.js';
import { madeList } from '../../plain/made-list.js';

/** The user of a request. Throws `refused` for an unknown one: a count of 0 would hide a mistyped id. */
function userOf(store: Store, given: string | null | undefined): string {
  const userId = idOf(given);
  if (isKnown(store, 'User', userId)) return userId;
  return refuse('UnknownUser', `There is no user ${userId}.`);
}

/** Interface document, Endpoints, NotificationGetCount. */
export const NotificationGetCount: Handler<'NotificationGetCount'> = ({ store }, input) => {
  const sql = 'SELECT count(*) FROM "PvNotificationData" WHERE "UserId" = ?';
  const [count] = store.statement(sql).first(userOf(store, input.userId)) ?? [];
  return { NumberOfNotifications: Number(count) };
};

interface Told {
  readonly seq: number;
  readonly activity: number;
}

type Notification = OutputOf<typeof PvNotificationData>;

function activitiesOf(
  store: Store,
  told: readonly Told[],
): (seq: number | undefined) => Pick<Notification, 'Activity'> {
  const seqs = [...new Set(told.map(({ activity }) => activity))].sort((one, other) => one - other);
  const there = seqsWhere(store, PvActivityData, {
    where: 'seq IN (SELECT value FROM json_each(?))',
    values: [JSON.stringify(seqs)],
    limit: { before: 0, rows: seqs.length },
  });
  const places = new Map(there.map((seq, at) => [seq, at]));
  const activityOf = new Map<number | undefined, number | undefined>(
    told.map(({ seq, activity }) => [seq, places.get(activity)]),
  );
  const activities = listed(store, there, {});
  return (seq) => ({ Activity: activities[activityOf.get(seq) ?? -1] ?? null });
}

const atOnce = 100;

/** Notifications with their activities; of a list of many, some are held at a time. */
function notificationsOf(store: Store, told: readonly Told[]): readonly Notification[] {
  const parts = Array.from(inBatches(told, atOnce), (some) => {
    const along = (seqs: readonly number[]) => {
      const activityOf = activitiesOf(store, some);
      return (place: number) => activityOf(seqs[place]);
    };
    return recordsAt(store, PvNotificationData, { seqs: some.map(({ seq }) => seq), withFields: false, along });
  });
  return madeList(told.length, (at) => {
    const found = parts[Math.floor(at / atOnce)]?.[at % atOnce];
    if (found === undefined) throw new RelctlError('bug', 'A notification is missing.');
    return found;
  });
}

/** Interface document, Endpoints, NotificationsGet; activities are as in lists. */
export const NotificationsGet: Handler<'NotificationsGet'> = ({ store }, input) => {
  const sql = 'SELECT seq, "ActivitySeq" FROM "PvNotificationData" WHERE "UserId" = ? ORDER BY seq';
  const rows = store.statement(sql).all(userOf(store, input.userId));
  const told = rows.map(([seq, activity]): Told => ({ seq: Number(seq), activity: Number(activity) }));
  return { Notifications: notificationsOf(store, told) };
};
