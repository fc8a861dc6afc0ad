import type { EnumerationType, Operation, RecordType } from './build.js';
import * as enumerationTypes from './enumerations.js';
import * as activity from './operations/activity.js';
import * as datastore from './operations/datastore.js';
import * as mark from './operations/mark.js';
import * as notification from './operations/notification.js';
import * as product from './operations/product.js';
import * as relation from './operations/relation.js';
import * as relationship from './operations/relationship.js';
import * as workflow from './operations/workflow.js';
import * as activityRecords from './records/activity.js';
import { Attachment } from './records/attachment.js';
import { ApiCredentials, ApiSourceApplication } from './records/credentials.js';
import * as datastoreRecords from './records/datastore.js';
import * as markRecords from './records/mark.js';
import { PvNotificationData } from './records/notification.js';
import { PvProductData, PvProductData_V2 } from './records/product.js';
import * as relationRecords from './records/relation.js';
import { PvLineData, PvRelationshipData } from './records/relationship.js';
import { PvApiResultDataOfObject } from './records/result.js';
import * as shared from './records/shared.js';
import { PvWorkflowStepData } from './records/workflow.js';

/** Every operation by name, in the order of the interface document. The only list of them. */
export const operations = {
  ActivityGetFields: activity.ActivityGetFields,
  ActivitySearchByField: activity.ActivitySearchByField,
  ActivitySearchByFieldInPeriodExact: activity.ActivitySearchByFieldInPeriodExact,
  ActivityGetConnectedActivities: activity.ActivityGetConnectedActivities,
  ActivityGetInvolveds: activity.ActivityGetInvolveds,
  ActivityGetLabels: activity.ActivityGetLabels,
  ActivityUpdate: activity.ActivityUpdate,
  ActivityAddProductLine: activity.ActivityAddProductLine,
  SubscriptionAddProductLine: activity.SubscriptionAddProductLine,
  ActivityAddAttachment: activity.ActivityAddAttachment,
  AttachmentGet: activity.AttachmentGet,
  RelationGet: relation.RelationGet,
  RelationGetAll: relation.RelationGetAll,
  RelationGetMarksModified: relation.RelationGetMarksModified,
  RelationGetActivitiesModified_V2: relation.RelationGetActivitiesModified_V2,
  RelationGetActivities: relation.RelationGetActivities,
  RelationGetTelephoneBook: relation.RelationGetTelephoneBook,
  RelationGetTelephoneBook_V2: relation.RelationGetTelephoneBook_V2,
  RelationshipGetAll: relationship.RelationshipGetAll,
  RelationshipFieldGetLabels: relationship.RelationshipFieldGetLabels,
  RelationshipAddLine: relationship.RelationshipAddLine,
  ProductGetAllByGroup: product.ProductGetAllByGroup,
  ProductGetAll_V2: product.ProductGetAll_V2,
  ProductUpdate_V2: product.ProductUpdate_V2,
  DatastoreCreateItem_V3: datastore.DatastoreCreateItem_V3,
  DatastoreGetWithParentItems_V2: datastore.DatastoreGetWithParentItems_V2,
  DatastoreGetSbiCodes: datastore.DatastoreGetSbiCodes,
  SystemDatastoreGetItems: datastore.SystemDatastoreGetItems,
  MarkGetAll: mark.MarkGetAll,
  CampaignMarkGetAll: mark.CampaignMarkGetAll,
  WorkflowStepGetAll: workflow.WorkflowStepGetAll,
  NotificationGetCount: notification.NotificationGetCount,
  NotificationsGet: notification.NotificationsGet,
} as const;

/** Name of an operation of the contract. */
export type OperationName = keyof typeof operations;

/** Every record by name. */
export const records: Readonly<Record<string, RecordType>> = {
  PvApiResultDataOfObject,
  ApiCredentials,
  ApiSourceApplication,
  PvActivityData: activityRecords.PvActivityData,
  PvActivityFollowUpData: activityRecords.PvActivityFollowUpData,
  PvActivitySettingsData: activityRecords.PvActivitySettingsData,
  PvRelationshipData,
  PvRelationData: relationRecords.PvRelationData,
  PvAuditData: shared.PvAuditData,
  PvActivityAuditData: activityRecords.PvActivityAuditData,
  PvFieldValuesData: shared.PvFieldValuesData,
  PvFieldValueData: shared.PvFieldValueData,
  PvCounterData: shared.PvCounterData,
  PvTranslationData2: shared.PvTranslationData2,
  PvSystemDatastoreItemData: datastoreRecords.PvSystemDatastoreItemData,
  PvDatastoreItem: datastoreRecords.PvDatastoreItem,
  PvDatastoreItemDataWithParent_V2: datastoreRecords.PvDatastoreItemDataWithParent_V2,
  PvLabelItemData: shared.PvLabelItemData,
  PvMarkData: markRecords.PvMarkData,
  PvRelationshipMarkData: markRecords.PvRelationshipMarkData,
  PvInvolvedData: activityRecords.PvInvolvedData,
  PvWorkflowStepData,
  PvSbiCodeData: datastoreRecords.PvSbiCodeData,
  ProductLineData: activityRecords.ProductLineData,
  Attachment,
  PvNotificationData,
  TelephoneBookEntry: relationRecords.TelephoneBookEntry,
  PvTelephoneNumberData: relationRecords.PvTelephoneNumberData,
  PvLineData,
  PvProductData,
  PvProductData_V2,
  PvFieldData: shared.PvFieldData,
};

/** Every enumeration by name, in the order of the interface document. */
export const enumerations: Readonly<Record<string, EnumerationType>> = {
  AddressType: enumerationTypes.AddressType,
  AddressStyle: enumerationTypes.AddressStyle,
  ProductType: enumerationTypes.ProductType,
  UnitType: enumerationTypes.UnitType,
  TabPageType: enumerationTypes.TabPageType,
  FieldControl: enumerationTypes.FieldControl,
  FieldType: enumerationTypes.FieldType,
  ComboboxValues: enumerationTypes.ComboboxValues,
  LabelType: enumerationTypes.LabelType,
  WorkflowStepType: enumerationTypes.WorkflowStepType,
  SystemDatastoreType: enumerationTypes.SystemDatastoreType,
  ActivityLocation: enumerationTypes.ActivityLocation,
};

const byName: ReadonlyMap<string, Operation> = new Map<string, Operation>(Object.entries(operations));

/** The operation with this exact name, if the contract has it. Safe for any text. */
export function findOperation(name: string): Operation | undefined {
  return byName.get(name);
}
