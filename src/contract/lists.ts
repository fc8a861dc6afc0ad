import type { OperationName } from './service.js';

/** Kinds of records whose names stand for their Ids, once they are mirrored. */
const recordKinds = ['relation', 'relationship', 'activity'] as const;

/** One of those kinds. */
export type RecordKind = (typeof recordKinds)[number];

/** True for one of them. */
export const isRecordKind = (kind: string): kind is RecordKind => recordKinds.some((each) => each === kind);

/** A list of the service, of which a mirror has a table, and what the rest of the program does with its records. */
export interface ServiceList {
  /** What its records are, in words. */
  readonly holds: string;
  /** One of its records, where the lists within them are named by it. */
  readonly one?: string;
  readonly operation: OperationName;
  /** The member of the result that holds the records. */
  readonly shows: string;
  /** What tells its records apart, where it is not their Id: their content too, as of entries of the telephone book. */
  readonly identity?: 'content';
  /** The column of what tells them apart, where it is not `Id`. */
  readonly idColumn?: string;
  /** Columns of parameters, first in the table: column name by parameter. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Names of tables of lists within the records by path, where they are not made of both. */
  readonly lists?: Readonly<Record<string, string>>;
  /** It needs no Id: a new mirror reads it. */
  readonly usual?: boolean;
  /** Several sources of a mirror may have the same record. */
  readonly overlaps?: boolean;
  /** The members of other records that hold an Id of it, as a pattern, and columns of which the first that is not empty is its name. */
  readonly named?: { readonly members: string; readonly columns: readonly string[] };
  /** Columns any of which stands for the Id where it is typed, and those that tell records of one name apart, for people. */
  readonly names?: { readonly kind: RecordKind; readonly keys: readonly string[]; readonly tells: readonly string[] };
  /** The column of its entity type, and those that stand before columns of fields, of records that have fields. */
  readonly fields?: { readonly type: string; readonly first: readonly string[] };
  /** What `find` looks into: the name first, then the best; and a list within the records, by its table. */
  readonly search?: {
    readonly type: string;
    readonly columns: readonly string[];
    readonly list?: string;
    readonly label?: string;
  };
}

const lists: Readonly<Record<string, ServiceList>> = {
  relations: {
    one: 'relation',
    holds: 'persons and organisations',
    operation: 'RelationGetAll',
    shows: 'Relations',
    usual: true,
    named: { members: 'RelationId$', columns: ['DisplayName'] },
    names: { kind: 'relation', keys: ['DisplayName', 'ImportKey'], tells: ['DisplayName', 'ImportKey', 'SortingName'] },
    fields: { type: 'EntityTypeId', first: ['Id', 'DisplayName'] },
    search: {
      type: 'relation',
      columns: ['DisplayName', 'ImportKey', 'SortingName'],
      list: 'relation_field_values',
      label: 'FieldValues',
    },
  },
  relationships: {
    one: 'relationship',
    holds: 'what relations are to each other',
    operation: 'RelationshipGetAll',
    shows: 'Relationships',
    usual: true,
    named: { members: 'RelationshipId$', columns: ['DisplayName'] },
    names: { kind: 'relationship', keys: ['DisplayName'], tells: ['DisplayName', 'Description', 'DisplayCity'] },
    fields: { type: 'EntityTypeId', first: ['Id', 'DisplayName'] },
    search: {
      type: 'relationship',
      columns: ['DisplayName', 'SortingName', 'DisplayCity'],
      list: 'relationship_field_values',
      label: 'FieldValues',
    },
  },
  telephone_book: {
    holds: 'relations with their telephone numbers',
    operation: 'RelationGetTelephoneBook_V2',
    shows: 'TelephoneBookEntries',
    identity: 'content',
    idColumn: 'relation_Id',
    lists: { TelephoneNumbers: 'telephone_numbers' },
    usual: true,
  },
  products: {
    holds: 'products and prices',
    operation: 'ProductGetAll_V2',
    shows: 'Products',
    usual: true,
    named: { members: 'ProductId$', columns: ['Name'] },
    search: { type: 'product', columns: ['Name', 'Code'] },
  },
  marks: {
    holds: 'marks that can be put on relationships',
    operation: 'MarkGetAll',
    shows: 'Marks',
    usual: true,
    named: { members: 'MarkId$', columns: ['Name'] },
    search: { type: 'mark', columns: ['Name', 'Category', 'ExternalDescription'] },
  },
  campaign_marks: {
    holds: 'marks that campaigns use',
    operation: 'CampaignMarkGetAll',
    shows: 'Marks',
    usual: true,
    named: { members: 'MarkId$', columns: ['Name'] },
    search: { type: 'campaign-mark', columns: ['Name', 'Category', 'ExternalDescription'] },
  },
  sbi_codes: {
    holds: 'codes of the classification of businesses',
    operation: 'DatastoreGetSbiCodes',
    shows: 'SbiCodes',
    usual: true,
    search: { type: 'sbi-code', columns: ['Description', 'Code'] },
  },
  system_datastores: {
    holds: 'entries of the lookup lists that the system keeps',
    operation: 'SystemDatastoreGetItems',
    shows: 'DatastoreItems',
    parameters: { systemDatastoreType: 'SystemDatastoreType' },
    usual: true,
    search: { type: 'system-datastore', columns: ['Description', 'Code'] },
  },
  datastore_items: {
    one: 'datastore_item',
    holds: 'entries of the datastores that were added',
    operation: 'DatastoreGetWithParentItems_V2',
    shows: 'DatastoreItems',
    parameters: { entityTypeId: 'DatastoreEntityTypeId' },
    named: { members: '^(?:TittleId|ParentId)$', columns: ['Description'] },
    search: {
      type: 'datastore-item',
      columns: ['Description'],
      list: 'datastore_item_translations',
      label: 'Translations',
    },
  },
  workflow_steps: {
    holds: 'steps of the workflows that were added',
    operation: 'WorkflowStepGetAll',
    shows: 'WorkflowSteps',
    parameters: { workflowId: 'WorkflowId' },
    named: { members: 'WorkflowStepId$', columns: ['Name'] },
    search: { type: 'workflow-step', columns: ['Name', 'Code'] },
  },
  workflow_fields: {
    holds: 'fields of the activities of the workflows that were added',
    operation: 'ActivityGetFields',
    shows: 'Fields',
    parameters: { workflowId: 'WorkflowId' },
    named: { members: '^FieldId$', columns: ['Name', 'Label', 'UserFriendlyName'] },
    search: { type: 'workflow-field', columns: ['UserFriendlyName', 'Name', 'Label'] },
  },
  activities: {
    one: 'activity',
    holds: 'activities that the searches found that were added',
    operation: 'ActivitySearchByField',
    shows: 'Activities',
    parameters: { activityEntityTypeId: 'ActivityEntityTypeId' },
    overlaps: true,
    named: { members: 'ActivityId$', columns: ['Info', 'Number'] },
    names: { kind: 'activity', keys: ['Number'], tells: ['Number', 'Info', 'ViewSortingDate'] },
    fields: { type: 'ActivityEntityTypeId', first: ['Id', 'Number', 'Info'] },
    search: { type: 'activity', columns: ['Info', 'Number'], list: 'activity_field_values', label: 'FieldValues' },
  },
  relation_activities: {
    one: 'relation_activity',
    holds: 'activities of relations, asked for one relation after the other',
    operation: 'RelationGetActivitiesModified_V2',
    shows: 'Activities',
    parameters: { relationId: 'RelationId' },
    overlaps: true,
    named: { members: 'ActivityId$', columns: ['Info', 'Number'] },
    names: { kind: 'activity', keys: ['Number'], tells: ['Number', 'Info', 'ViewSortingDate'] },
    search: {
      type: 'relation-activity',
      columns: ['Info', 'Number'],
      list: 'relation_activity_field_values',
      label: 'FieldValues',
    },
  },
  relation_marks: {
    holds: 'marks on the relationships of relations, asked for one relation after the other',
    operation: 'RelationGetMarksModified',
    shows: 'RelationshipMarks',
    parameters: { relationId: 'RelationId' },
    overlaps: true,
  },
};

/** The lists of the service by the names of their tables, in the order in which a mirror reads them. */
export const serviceLists = Object.entries(lists);
