import type { OperationName } from './service.js';

/** Kinds of records whose names stand for their Ids, once they are mirrored. */
const recordKinds = ['relation', 'relationship', 'activity'] as const;

/** One of those kinds. */
export type RecordKind = (typeof recordKinds)[number];

/** True for one of them. */
export const isRecordKind = (kind: string): kind is RecordKind => recordKinds.some((each) => each === kind);

/** A list of the service, of which a mirror has a table, and what the rest of the program does with its records. */
export interface ServiceList {
  readonly holds: string;
  readonly operation: OperationName;
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
  /** What `find` looks into: the name first, then the best; and the values of a list within the records. */
  readonly search?: { readonly columns: readonly string[]; readonly list?: 'FieldValues' | 'Translations' };
}

const marks = {
  usual: true,
  named: { members: 'MarkId$', columns: ['Name'] },
  search: { columns: ['Name', 'Category', 'ExternalDescription'] },
} as const;

const activities = {
  overlaps: true,
  named: { members: 'ActivityId$', columns: ['Info', 'Number'] },
  names: { kind: 'activity', keys: ['Number'], tells: ['Number', 'Info', 'ViewSortingDate'] },
  search: { columns: ['Info', 'Number'], list: 'FieldValues' },
} as const;

const lists: Readonly<Record<string, ServiceList>> = {
  relations: {
    holds: 'persons and organisations',
    operation: 'RelationGetAll',
    usual: true,
    named: { members: 'RelationId$', columns: ['DisplayName'] },
    names: { kind: 'relation', keys: ['DisplayName', 'ImportKey'], tells: ['DisplayName', 'ImportKey', 'SortingName'] },
    fields: { type: 'EntityTypeId', first: ['Id', 'DisplayName'] },
    search: { columns: ['DisplayName', 'ImportKey', 'SortingName'], list: 'FieldValues' },
  },
  relationships: {
    holds: 'what relations are to each other',
    operation: 'RelationshipGetAll',
    usual: true,
    named: { members: 'RelationshipId$', columns: ['DisplayName'] },
    names: { kind: 'relationship', keys: ['DisplayName'], tells: ['DisplayName', 'Description', 'DisplayCity'] },
    fields: { type: 'EntityTypeId', first: ['Id', 'DisplayName'] },
    search: { columns: ['DisplayName', 'SortingName', 'DisplayCity'], list: 'FieldValues' },
  },
  telephone_book: {
    holds: 'relations with their telephone numbers',
    operation: 'RelationGetTelephoneBook_V2',
    identity: 'content',
    idColumn: 'relation_Id',
    lists: { TelephoneNumbers: 'telephone_numbers' },
    usual: true,
  },
  products: {
    holds: 'products and prices',
    operation: 'ProductGetAll_V2',
    usual: true,
    named: { members: 'ProductId$', columns: ['Name'] },
    search: { columns: ['Name', 'Code'] },
  },
  marks: { holds: 'marks that can be put on relationships', operation: 'MarkGetAll', ...marks },
  campaign_marks: { holds: 'marks that campaigns use', operation: 'CampaignMarkGetAll', ...marks },
  sbi_codes: {
    holds: 'codes of the classification of businesses',
    operation: 'DatastoreGetSbiCodes',
    usual: true,
    search: { columns: ['Description', 'Code'] },
  },
  system_datastores: {
    holds: 'entries of the lookup lists that the system keeps',
    operation: 'SystemDatastoreGetItems',
    parameters: { systemDatastoreType: 'SystemDatastoreType' },
    usual: true,
    search: { columns: ['Description', 'Code'] },
  },
  datastore_items: {
    holds: 'entries of the datastores that were added',
    operation: 'DatastoreGetWithParentItems_V2',
    parameters: { entityTypeId: 'DatastoreEntityTypeId' },
    named: { members: '^(?:TittleId|ParentId)$', columns: ['Description'] },
    search: { columns: ['Description'], list: 'Translations' },
  },
  workflow_steps: {
    holds: 'steps of the workflows that were added',
    operation: 'WorkflowStepGetAll',
    parameters: { workflowId: 'WorkflowId' },
    named: { members: 'WorkflowStepId$', columns: ['Name'] },
    search: { columns: ['Name', 'Code'] },
  },
  workflow_fields: {
    holds: 'fields of the activities of the workflows that were added',
    operation: 'ActivityGetFields',
    parameters: { workflowId: 'WorkflowId' },
    named: { members: '^FieldId$', columns: ['Name', 'Label', 'UserFriendlyName'] },
    search: { columns: ['UserFriendlyName', 'Name', 'Label'] },
  },
  activities: {
    holds: 'activities that the searches found that were added',
    operation: 'ActivitySearchByField',
    parameters: { activityEntityTypeId: 'ActivityEntityTypeId' },
    fields: { type: 'ActivityEntityTypeId', first: ['Id', 'Number', 'Info'] },
    ...activities,
  },
  relation_activities: {
    holds: 'activities of relations, asked for one relation after the other',
    operation: 'RelationGetActivitiesModified_V2',
    parameters: { relationId: 'RelationId' },
    ...activities,
  },
  relation_marks: {
    holds: 'marks on the relationships of relations, asked for one relation after the other',
    operation: 'RelationGetMarksModified',
    parameters: { relationId: 'RelationId' },
    overlaps: true,
  },
};

/** The lists of the service by the names of their tables, in the order in which a mirror reads them. */
export const serviceLists = Object.entries(lists);

/** A record of a table, by the name of the table. */
export const recordName = (table: string): string => table.replace(/ies$/, 'y').replace(/s$/, '');

/** A name of the service as tables have names: `FieldValues` is `field_values`. */
export const snake = (text: string): string => text.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/** The name of the table of a list within the records of a table: `relation_field_values` of `FieldValues.Items` of relations. */
export const listTableName = (table: string, path: readonly string[]): string =>
  [recordName(table), ...path.filter((each) => each !== 'Items').map(snake)].join('_');
