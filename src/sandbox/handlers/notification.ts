import { unknownUser } from '../assumptions.js';
import { emptyId } from '../dataset/known.js';
import { answered, refused, type Handler } from './handler.js';

/** Interface document, Endpoints, NotificationGetCount. */
export const NotificationGetCount: Handler<'NotificationGetCount'> = ({ store }, input) => {
  const userId = (input.userId ?? emptyId).toLowerCase();
  if (store.statement('SELECT 1 FROM "User" WHERE Id = ?').first(userId) === undefined) {
    return refused({ ...unknownUser, description: `There is no user ${userId}.` });
  }
  const [count] = store.statement('SELECT count(*) FROM "PvNotificationData" WHERE "UserId" = ?').first(userId) ?? [];
  return answered({ NumberOfNotifications: Number(count) });
};
