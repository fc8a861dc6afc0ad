import { assumed, defineOperations, list, opt, req } from '../build.js';
import { SystemDatastoreType } from '../enumerations.js';
import {
  PvDatastoreItem,
  PvDatastoreItemDataWithParent_V2,
  PvSbiCodeData,
  PvSystemDatastoreItemData,
} from '../records/datastore.js';
import { PvMarkData } from '../records/relation.js';
import { PvNotificationData, PvWorkflowStepData } from '../records/activity.js';
import { PvTranslationData2 } from '../records/shared.js';
import { boolean, guid, int } from '../scalars.js';
import { ErrorInformation, fieldValues } from './parameters.js';

const entityTypeId = req(guid, 'The datastore, by its entity type.');
const userId = req(guid, 'The user.');

/** Interface document, Endpoints, Datastores, marks, workflows, notifications. */
export const datastoreOperations = defineOperations({
  DatastoreCreateItem_V3: {
    doc: 'Makes an entry in a lookup list.',
    access: 'add',
    parameters: {
      entityTypeId,
      fieldValues,
      translations: opt(list(PvTranslationData2), 'The words of the entry by language.'),
    },
    result: { DatastoreItem: opt(PvDatastoreItem, 'The entry that was made.'), ErrorInformation },
  },
  // See also Additional rules, 2.
  DatastoreGetWithParentItems_V2: {
    doc: 'Lists the entries of a lookup list, with the entries above them.',
    access: 'read',
    parameters: { entityTypeId, includeTranslations: req(boolean, 'Bring the words in other languages along.') },
    result: { DatastoreItems: opt(list(PvDatastoreItemDataWithParent_V2), 'The entries.') },
  },
  DatastoreGetSbiCodes: {
    doc: 'Lists the codes of the standard classification of businesses.',
    access: 'read',
    parameters: {},
    result: { SbiCodes: opt(list(PvSbiCodeData), 'The codes.') },
  },
  SystemDatastoreGetItems: {
    doc: 'Lists the entries of a lookup list that the system keeps.',
    access: 'read',
    parameters: { systemDatastoreType: req(SystemDatastoreType, 'The list.') },
    result: { DatastoreItems: opt(list(PvSystemDatastoreItemData), 'Its entries.') },
    envelope: true,
  },
  MarkGetAll: {
    doc: 'Lists all marks.',
    access: 'read',
    parameters: {},
    result: { Marks: opt(list(PvMarkData), 'The marks.') },
  },
  CampaignMarkGetAll: {
    doc: 'Lists the marks that campaigns use.',
    access: 'read',
    parameters: {},
    result: { Marks: opt(list(PvMarkData), 'The campaign marks.') },
  },
  WorkflowStepGetAll: {
    doc: 'Lists the steps of a workflow.',
    access: 'read',
    parameters: { workflowId: req(guid, 'The workflow.') },
    result: { WorkflowSteps: opt(list(PvWorkflowStepData), 'Its steps.') },
  },
  NotificationGetCount: {
    doc: 'Counts the notifications of a user.',
    access: 'read',
    parameters: { userId },
    result: { NumberOfNotifications: req(int, 'Number of notifications.') },
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
