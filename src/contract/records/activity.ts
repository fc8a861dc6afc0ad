import { inRole, list, nil, opt, record, recordWithoutPresence, req } from '../build.js';
import { boolean, dateTime, decimal, guid, int, string } from '../scalars.js';
import { PvRelationshipData } from './relation.js';
import { counterValuesWords, fieldValuesWords, PvAuditData, PvCounterData, PvFieldValuesData } from './shared.js';
import { WorkflowStepType, ActivityLocation } from '../enumerations.js';

/** Interface document, Small shared records. */
export const PvWorkflowStepData = recordWithoutPresence('PvWorkflowStepData', 'A step of a workflow.', {
  Id: req(guid, 'Identifies the step.'),
  Name: inRole('name', opt(string, 'Name of the step.')),
  Code: inRole('key', opt(string, 'Short code of the step.')),
  Type: req(WorkflowStepType, 'The part that it plays.'),
});

/** Interface document, Small shared records. */
export const Attachment = recordWithoutPresence('Attachment', 'A file attached to an activity.', {
  Id: req(guid, 'Identifies the attachment.'),
  CreationDate: req(dateTime, 'When it was attached.'),
  ModificationDate: req(dateTime, 'When it was changed last.'),
  FileName: inRole('name', opt(string, 'Name of the file; a suggestion, never a path.')),
  Description: opt(string, 'Words about the file.'),
  Version: opt(string, 'Version of the file.'),
  Extension: opt(string, 'Ending of the file name.'),
  ExternalDmsType: req(int, 'Kind of external document system; the values are not documented.'),
  ExternalDmsId: opt(string, 'Key of the file in that system.'),
  Base64EncodedFile: inRole('content', opt(string, 'The content of the file, in base64.')),
});

/** Interface document, PvActivityFollowUpData. */
export const PvActivityFollowUpData = record('PvActivityFollowUpData', 'When and by whom an activity is taken up.', {
  Start: nil(dateTime, 'When work on it starts.'),
  End: nil(dateTime, 'End of the work.'),
  InAgenda: nil(boolean, 'Shown in the agenda.'),
  ReminderPeriodInMinutes: nil(int, 'How long before the start to remind, in minutes.'),
  OwnerUserId: nil(guid, 'The user who owns it.'),
  PlacedInQueueId: nil(guid, 'The queue of the activity.'),
});

/** Interface document, PvActivitySettingsData. */
const PvActivitySettingsData = record('PvActivitySettingsData', 'Where an activity stands and whom it concerns.', {
  WorkflowId: req(guid, 'The workflow that it runs through.'),
  WorkflowStepId: req(guid, 'The step that it is at.'),
  ParentRelationshipId: req(guid, 'The relationship that it belongs to.'),
  ChildRelationshipId: nil(guid, 'A second relationship that it concerns.'),
});

/** Interface document, Small shared records. Nil while the activity is open. */
const PvActivityAuditData = recordWithoutPresence('PvActivityAuditData', 'When and by whom an activity was closed.', {
  ClosedAt: nil(dateTime, 'When it was closed.'),
  ClosedByUser: nil(guid, 'User who closed it.'),
});

/** Interface document, PvActivityData. The nested members are nil in lists and populated in single results. */
export const PvActivityData = record('PvActivityData', 'An activity: an item that runs through a workflow.', {
  Id: req(guid, 'Identifies the activity.'),
  Info: inRole('name', opt(string, 'What it is about.')),
  Number: inRole('key', opt(string, 'Its number as people use it; may begin with zeros.')),
  ViewSortingDate: req(dateTime, 'Date by which lists are sorted.'),
  FollowUp: opt(PvActivityFollowUpData, 'When and by whom it is taken up.'),
  Settings: opt(PvActivitySettingsData, 'Where it stands and whom it concerns.'),
  ParentRelationship: opt(PvRelationshipData, 'The relationship that it belongs to.'),
  ChildRelationship: opt(PvRelationshipData, 'A second relationship that it concerns.'),
  FieldValues: opt(PvFieldValuesData, fieldValuesWords),
  AuditData: opt(PvAuditData, 'Who made and changed it, and when.'),
  ActivityAuditData: opt(PvActivityAuditData, 'When and by whom it was closed.'),
  CounterValues: opt(list(PvCounterData), counterValuesWords),
});

/** Interface document, Small shared records. */
export const PvInvolvedData = recordWithoutPresence('PvInvolvedData', 'A party that is involved in an activity.', {
  Id: req(guid, 'Identifies the involvement.'),
  Type: opt(string, 'In which part the party is involved.'),
  EntityTypeId: req(guid, 'The kind of involvement.'),
  ActivityId: req(guid, 'The activity.'),
  RelationshipId: req(guid, 'The relationship that is involved.'),
});

/** Interface document, Small shared records. */
export const ProductLineData = recordWithoutPresence('ProductLineData', 'A product on an activity or a subscription.', {
  Id: req(guid, 'Identifies the line.'),
  Quantity: req(decimal, 'How many.'),
  Amount: req(decimal, 'Price of one.'),
  TotalAmount: req(decimal, 'Price of the whole line.'),
  PurchaseAmount: req(decimal, 'Purchase price of one.'),
  VatId: req(guid, 'The VAT rate.'),
  ProductId: req(guid, 'The product.'),
  Description: opt(string, 'Description on the line.'),
  Period: req(int, 'Period of a subscription line; its unit is not documented.'),
});

/** Interface document, Small shared records. */
export const PvNotificationData = record('PvNotificationData', 'A notification of a user about an activity.', {
  Id: req(guid, 'Identifies the notification.'),
  ActivityLocation: req(ActivityLocation, 'Where the activity stands for that user.'),
  Activity: opt(PvActivityData, 'The activity that it is about.'),
});
