import type { Operation, RecordType } from './build.js';
import { activityOperations } from './operations/activity.js';
import { datastoreOperations } from './operations/datastore.js';
import { productOperations } from './operations/product.js';
import { relationOperations } from './operations/relation.js';
import { fullResult, reachedTypes, recordOf, requestFields } from './walk.js';

/** Every operation by name, in the order of the interface document. */
export const operations = {
  ...activityOperations,
  ...relationOperations,
  ...productOperations,
  ...datastoreOperations,
} as const;

/** Name of an operation of the contract. */
export type OperationName = keyof typeof operations;

/**
 * The records in the order of the interface document, which the docs and the tables of the embedded service follow. A
 * record that is not listed comes last.
 */
const documentOrder = [
  'PvApiResultDataOfObject',
  'ApiCredentials',
  'ApiSourceApplication',
  'PvActivityData',
  'PvActivityFollowUpData',
  'PvActivitySettingsData',
  'PvRelationshipData',
  'PvRelationData',
  'PvAuditData',
  'PvActivityAuditData',
  'PvFieldValuesData',
  'PvFieldValueData',
  'PvCounterData',
  'PvTranslationData2',
  'PvSystemDatastoreItemData',
  'PvDatastoreItem',
  'PvDatastoreItemDataWithParent_V2',
  'PvLabelItemData',
  'PvMarkData',
  'PvRelationshipMarkData',
  'PvInvolvedData',
  'PvWorkflowStepData',
  'PvSbiCodeData',
  'ProductLineData',
  'Attachment',
  'PvNotificationData',
  'TelephoneBookEntry',
  'PvTelephoneNumberData',
  'PvLineData',
  'PvProductData',
  'PvProductData_V2',
  'PvFieldData',
];

const positionOf = ({ name }: RecordType): number => {
  const position = documentOrder.indexOf(name);
  return position < 0 ? documentOrder.length : position;
};

/** Every record that an operation uses, by name. */
export const records: Readonly<Record<string, RecordType>> = Object.fromEntries(
  reachedTypes(
    ...Object.values<Operation>(operations).flatMap((operation) => [requestFields(operation), fullResult(operation)]),
  )
    .flatMap((type) => recordOf(type) ?? [])
    .sort((one, other) => positionOf(one) - positionOf(other))
    .map((type) => [type.name, type]),
);

const byName: ReadonlyMap<string, Operation> = new Map<string, Operation>(Object.entries(operations));

/** The operation with this exact name, if the contract has it. Safe for any text. */
export function findOperation(name: string): Operation | undefined {
  return byName.get(name);
}
