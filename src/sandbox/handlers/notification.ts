import { PvActivityData } from '../../contract/records/activity.js';
import { PvNotificationData } from '../../contract/records/notification.js';
import { type Handler, idOf, isKnown, refuse } from './handler.js';
import { recordsAt, seqsWhere } from '../store/records.js';
import type { Store } from '../store/open.js';
import { listed } from './activities.js';

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

/** Interface document, Endpoints, NotificationsGet; activities are as in lists. */
export const NotificationsGet: Handler<'NotificationsGet'> = ({ store }, input) => {
  const sql = 'SELECT seq, "ActivitySeq" FROM "PvNotificationData" WHERE "UserId" = ? ORDER BY seq';
  const rows = store.statement(sql).all(userOf(store, input.userId));
  const seqs = rows.map(([seq]) => Number(seq));
  const there = seqsWhere(store, PvActivityData, {
    where: 'seq IN (SELECT value FROM json_each(?))',
    values: [JSON.stringify(rows.map(([, activity]) => activity))],
  });
  const activities = new Map(listed(store, there, {}).map((activity, at) => [there[at], activity]));
  const notifications = recordsAt(store, PvNotificationData, { seqs, withFields: false });
  return {
    Notifications: notifications.map((notification, at) => ({
      ...notification,
      Activity: activities.get(Number(rows[at]?.[1])) ?? null,
    })),
  };
};
