import type { Operation, RecordType } from './build.js';
import { activityOperations } from './operations/activity.js';
import { datastoreOperations } from './operations/datastore.js';
import { markOperations } from './operations/mark.js';
import { notificationOperations } from './operations/notification.js';
import { productOperations } from './operations/product.js';
import { relationOperations } from './operations/relation.js';
import { relationshipOperations } from './operations/relationship.js';
import { workflowOperations } from './operations/workflow.js';
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

/** Every operation by name, in the order of the interface document. */
export const operations = {
  ...activityOperations,
  ...relationOperations,
  ...relationshipOperations,
  ...productOperations,
  ...datastoreOperations,
  ...markOperations,
  ...workflowOperations,
  ...notificationOperations,
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

const byName: ReadonlyMap<string, Operation> = new Map<string, Operation>(Object.entries(operations));

/** The operation with this exact name, if the contract has it. Safe for any text. */
export function findOperation(name: string): Operation | undefined {
  return byName.get(name);
}
