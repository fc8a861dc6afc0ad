import { assumed, list, operation, opt, req } from '../build.js';
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

/** Interface document, Endpoints. The name of the list is not shown there; ours is an assumption (docs/assumptions.md). */
export const NotificationsGet = operation({
  name: 'NotificationsGet',
  doc: 'Lists the notifications of a user.',
  access: 'read',
  parameters: { userId },
  result: { Notifications: assumed('name', opt(list(PvNotificationData), 'The notifications.')) },
  unnamed: 'Notifications',
  envelope: true,
});
