import { assumed, defineOperations, list, opt, req } from '../build.js';
import { PvNotificationData } from '../records/notification.js';
import { guid, int } from '../scalars.js';

const userId = req(guid, 'The user.');

/** Interface document, Endpoints, Datastores, marks, workflows, notifications. */
export const notificationOperations = defineOperations({
  NotificationGetCount: {
    doc: 'Counts the notifications of a user.',
    access: 'read',
    parameters: { userId },
    result: { NumberOfNotifications: req(int, 'How many there are.') },
    envelope: true,
  },
  // The document does not show the name of the list; ours is an assumption (docs/assumptions.md).
  NotificationsGet: {
    doc: 'Lists the notifications of a user.',
    access: 'read',
    parameters: { userId },
    result: { Notifications: assumed('name', opt(list(PvNotificationData), 'The notifications.')) },
    unnamed: 'Notifications',
    envelope: true,
  },
});
