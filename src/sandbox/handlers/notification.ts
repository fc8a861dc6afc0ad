import { PvActivityData } from '../../contract/records/activity.js';
import { PvNotificationData } from '../../contract/records/notification.js';
import { type Handler, idOf, isKnown, refuse } from './handler.js';
import { readWhere, seqsWhere } from '../store/records.js';
import type { Store } from '../store/open.js';
import { listed, type Activity } from './activities.js';

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

const ofUser = 'seq IN (SELECT n."ActivitySeq" FROM "PvNotificationData" n WHERE n."UserId" = ?)';

/** Interface document, Endpoints, NotificationsGet; activities are as in lists. */
export const NotificationsGet: Handler<'NotificationsGet'> = ({ store }, input) => {
  const userId = userOf(store, input.userId);
  const seqs = seqsWhere(store, PvActivityData, { where: ofUser, values: [userId] });
  const all = listed(store, seqs, {});
  const activities = new Map<number, Activity>(all.map((each, at) => [seqs[at] ?? 0, each]));
  const sql = 'SELECT seq, "ActivitySeq" FROM "PvNotificationData" WHERE "UserId" = ?';
  const told = store.statement(sql).all(userId);
  const activitySeqs = new Map(told.map(([seq, activity]) => [Number(seq), Number(activity)]));
  const notifications = readWhere(store, PvNotificationData, { where: '"UserId" = ?', values: [userId] });
  return {
    Notifications: notifications.map(({ seq, record }) => ({
      ...record,
      Activity: activities.get(activitySeqs.get(seq) ?? 0) ?? null,
    })),
  };
};
