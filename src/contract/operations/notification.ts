import { list, operation, opt, req } from '../build.js';
import { PvNotificationData } from '../records/notification.js';
import { guid, int } from '../scalars.js';

const userId = req(guid, 'The user.');

/** Interface document, Endpoints, Datastores, marks, workflows, notifications. */
export const NotificationGetCount = operation({
  name: 'NotificationGetCount',
  doc: 'Counts the notifications of a user.',
  access: 'read',
  parameters: { userId },
  result: { NumberOfNotifications: req(int, 'How many there are.') },
  envelope: true,
});

/** Interface document, Endpoints; the name of the list was seen on deployed instances. */
export const NotificationsGet = operation({
  name: 'NotificationsGet',
  doc: 'Lists the notifications of a user.',
  access: 'read',
  parameters: { userId },
  result: { Notifications: opt(list(PvNotificationData), 'The notifications.') },
  envelope: true,
});
