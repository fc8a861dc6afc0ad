import { opt, record, req } from '../build.js';
import { ActivityLocation } from '../enumerations.js';
import { guid } from '../scalars.js';
import { PvActivityData } from './activity.js';

/** Interface document, Small shared records. */
export const PvNotificationData = record('PvNotificationData', 'A notification of a user about an activity.', {
  Id: req(guid, 'Identifies the notification.'),
  ActivityLocation: req(ActivityLocation, 'Where the activity stands for that user.'),
  Activity: opt(PvActivityData, 'The activity that it is about.'),
});
