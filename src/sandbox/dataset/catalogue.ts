import type { SystemDatastoreType } from '../../contract/enumerations.js';
import catalogue from './data/catalogue.json' with { type: 'json' };
import lists from './data/datastores.json' with { type: 'json' };
import codes from './data/sbi-codes.json' with { type: 'json' };
import { knownId } from './known.js';

/** What has fields: relations, relationships, lines, activities, datastores. */
export interface EntityType {
  readonly number: number;
  readonly name: string;
  readonly kind: 'Relation' | 'Relationship' | 'Line' | 'Activity' | 'Datastore';
}

/** Entity types by number (see known.ts); the sandbox has one catalogue, whatever the size of the data. */
export const entityTypes = catalogue.entityTypes as readonly EntityType[];

/** Id of an entity type by its number. */
export const entityTypeId = (number: number): string => knownId('entityType', number);

/** A workflow and its steps in order. Numbers of steps are the workflow's number times 100 plus their place. */
export interface Workflow {
  readonly number: number;
  readonly name: string;
  readonly entityType: number;
  readonly steps: readonly (readonly [
    type: 'StartStep' | 'ActionStep' | 'QueueStep' | 'EndStep',
    name: string,
    code: string,
  ])[];
}

/** The workflows of the sandbox. */
export const workflows = catalogue.workflows as unknown as readonly [Workflow, ...Workflow[]];

/** Id of a step: workflow and place counted from one. */
export const stepId = (workflow: Workflow, place: number): string => knownId('step', workflow.number * 100 + place);

/** Id of the queue of a workflow. */
export const queueId = (workflow: Workflow): string => knownId('queue', workflow.number);

/** Users that may sign in and own activities; the last has no work at all. */
export const users = catalogue.users;

/** Id of a user by number, from one. */
export const userId = (number: number): string => knownId('user', number);

/** Rates of value added tax. */
export const vatRates = catalogue.vatRates as unknown as readonly (readonly [
  code: string,
  description: string,
  percentage: string,
])[];

/** Names of product groups, and titles that a person can carry. */
export const { productGroups, titles } = catalogue;

/** Marks, campaign marks among them; numbers (see known.ts) follow the order. */
export const { marks } = catalogue;

/** A datastore: the entity type number, the one its items hang under, and the items with their translations. */
export interface Datastore {
  readonly number: number;
  readonly parent?: number;
  readonly items: readonly (readonly [code: string, dutch: string, english: string, german?: string])[];
}

/** The datastores of the catalogue. Two items of a child datastore hang under each item of its parent. */
export const datastores = lists.datastores as unknown as readonly Datastore[];

/** Items of the lists that the system itself keeps; some have no code. */
export const systemDatastores = lists.systemDatastores as unknown as Readonly<
  Record<
    (typeof SystemDatastoreType)['values'][number],
    readonly (readonly [code: string | null, description: string])[]
  >
>;

/** Standard business codes, a selection across all sections A to U. */
export const sbiCodes = codes as unknown as readonly (readonly [section: string, code: string, description: string])[];
