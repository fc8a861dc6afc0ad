import type { OperationName } from '../../contract/service.js';
import type { SandboxContext } from '../context.js';
import { fieldId } from '../dataset/fields.js';
import { known } from '../dataset/known.js';
import type { Store } from '../store/open.js';
import { rowCount } from '../store/pages.js';
import { tables } from '../store/schema.js';

/** What the sandbox keeps of one kind, and how to see it. */
export interface CountLine {
  /** As operators call it, in the plural. */
  readonly name: string;
  /** undefined when it is not known without reading every record. */
  readonly count: number | undefined;
  /** The operation that lists them; undefined when none does. */
  readonly operation?: OperationName;
  /** A command that calls it, as it is typed; with ids that every data set has. */
  readonly command?: string;
}

/** Lines with a heading. */
export interface CountGroup {
  readonly heading: string;
  readonly lines: readonly CountLine[];
}

type Count = (store: Store) => number | undefined;

/** Rows of a table that is filled seq by seq, and of which none is deleted. */
const rows =
  (table: string): Count =>
  (store) =>
    rowCount(store, table);

/** What a statement counts: for small tables, and those with seqs that were never used, or are not any more. */
const each =
  (from: string, what = '*'): Count =>
  (store) =>
    Number(store.statement(`SELECT count(${what}) FROM ${from}`).first()?.[0]);

/** Values of fields in all records. Rows in outline have theirs made when they are read: then nobody has counted them. */
const fieldValues: Count = (store) => {
  let sum = 0;
  for (const { name, outline, lists } of tables.values()) {
    const list = lists.find(({ path }) => path[0] === 'FieldValues');
    if (list === undefined) continue;
    const made = `SELECT 1 FROM "${name}" WHERE "${outline?.mark ?? ''}" IS NULL LIMIT 1`;
    if (outline !== undefined && store.statement(made).first() !== undefined) return undefined;
    sum += each(`"${list.name}"`)(store) ?? 0;
  }
  return sum;
};

type Kind = readonly [name: string, count: Count, operation?: OperationName, command?: string];

/** Every kind of record, by heading. */
const kinds: Readonly<Record<string, readonly Kind[]>> = {
  'Relations and relationships': [
    ['relations', rows('PvRelationData'), 'RelationGetAll', 'relation list'],
    ['relationships', rows('PvRelationshipData'), 'RelationshipGetAll', 'relationship list'],
    [
      'telephone numbers',
      // A relation that has only one of its two numbers leaves a seq out.
      each('"PvTelephoneNumberData"'),
      'RelationGetTelephoneBook_V2',
      'relation phone-book',
    ],
    [
      'marks on relationships',
      rows('PvRelationshipMarkData'),
      'RelationGetMarksModified',
      `relation marks ${known.personId}`,
    ],
    ['lines of relationships', rows('PvLineData')],
  ],
  Activities: [
    ['activities', rows('PvActivityData'), 'RelationGetActivitiesModified_V2', `relation activities ${known.personId}`],
    ['involved parties', rows('PvInvolvedData'), 'ActivityGetInvolveds', `activity involved ${known.activityId}`],
    [
      'connected activities',
      each('"ActivityConnection"'),
      'ActivityGetConnectedActivities',
      `activity connected ${known.activityId}`,
    ],
    ['product lines', rows('ProductLineData')],
    ['attachments', each('"Attachment"'), 'AttachmentGet', `attachment get ${known.attachmentId}`],
    ['notifications', each('"PvNotificationData"'), 'NotificationsGet', `notification list --user ${known.userId}`],
  ],
  'Fields and labels': [
    ['fields', rows('PvFieldData'), 'ActivityGetFields', `activity fields ${known.workflowId}`],
    ['field values', fieldValues, 'RelationGetAll', 'relation list --include-fields'],
    [
      'labels',
      rows('PvLabelItemData'),
      'ActivityGetLabels',
      `activity labels ${known.activityId} --field ${fieldId(11, 'Tags')}`,
    ],
  ],
  'Lists that administrators keep': [
    ['products', rows('PvProductData_V2'), 'ProductGetAll_V2', 'product list'],
    ['product groups', each('"ProductGroup"')],
    ['VAT rates', each('"Vat"')],
    ['marks', rows('PvMarkData'), 'MarkGetAll', 'mark list'],
    ['marks of campaigns', each('"PvMarkData" WHERE "IsCampaign" = 1'), 'CampaignMarkGetAll', 'mark list --campaign'],
    ['datastores', each(`"EntityType" WHERE Kind = 'Datastore'`)],
    [
      'items of datastores',
      rows('PvDatastoreItemDataWithParent_V2'),
      'DatastoreGetWithParentItems_V2',
      `datastore items ${known.datastoreEntityTypeId}`,
    ],
    ['system datastores', each('"PvSystemDatastoreItemData"', 'DISTINCT "SystemDatastoreType"')],
    [
      'items of system datastores',
      rows('PvSystemDatastoreItemData'),
      'SystemDatastoreGetItems',
      'datastore system LegalEntity',
    ],
    ['SBI codes', rows('PvSbiCodeData'), 'DatastoreGetSbiCodes', 'datastore sbi-codes'],
    ['workflows', each('"Workflow"')],
    ['steps of workflows', rows('PvWorkflowStepData'), 'WorkflowStepGetAll', `workflow steps ${known.workflowId}`],
    ['queues', each('"Queue"')],
    ['entity types', each('"EntityType"')],
    ['titles', each('"Title"')],
    ['users', each('"User"')],
  ],
};

/** How many records of each kind there are, all at one moment. Cheap, however large the data set is. */
export function countGroups({ store }: Pick<SandboxContext, 'store'>): readonly CountGroup[] {
  return store.read(() =>
    Object.entries(kinds).map(([heading, some]) => ({
      heading,
      lines: some.map(([name, count, operation, command]) => ({
        name,
        count: count(store),
        ...(operation && { operation }),
        ...(command && { command: `relctl ${command}` }),
      })),
    })),
  );
}
