import { knownId } from './known.js';

/** What has fields: relations, relationships, lines, activities, datastores. */
export interface EntityType {
  readonly number: number;
  readonly name: string;
  readonly kind: 'Relation' | 'Relationship' | 'Line' | 'Activity' | 'Datastore';
}

/** Entity types by number (see known.ts); the sandbox has one catalogue, whatever the size of the data. */
export const entityTypes: readonly EntityType[] = [
  { number: 1, name: 'Persoon', kind: 'Relation' },
  { number: 2, name: 'Organisatie', kind: 'Relation' },
  { number: 3, name: 'Contactpersoon', kind: 'Relationship' },
  { number: 4, name: 'Opleiding', kind: 'Line' },
  { number: 5, name: 'Medewerker', kind: 'Relationship' },
  { number: 11, name: 'Taak', kind: 'Activity' },
  { number: 12, name: 'Klacht', kind: 'Activity' },
  { number: 13, name: 'Abonnement', kind: 'Activity' },
  { number: 14, name: 'Order', kind: 'Activity' },
  { number: 21, name: 'Branche', kind: 'Datastore' },
  { number: 22, name: 'Subbranche', kind: 'Datastore' },
  { number: 23, name: 'Herkomst', kind: 'Datastore' },
  { number: 24, name: 'Prioriteit', kind: 'Datastore' },
];

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
export const workflows: readonly [Workflow, ...Workflow[]] = [
  {
    number: 1,
    name: 'Taak opvolgen',
    entityType: 11,
    steps: [
      ['StartStep', 'Aangemaakt', 'START'],
      ['QueueStep', 'Wachtrij verkoop', 'WACHT'],
      ['ActionStep', 'In behandeling', '010'],
      ['EndStep', 'Afgerond', 'EIND'],
    ],
  },
  {
    number: 2,
    name: 'Klachtafhandeling',
    entityType: 12,
    steps: [
      ['StartStep', 'Ontvangen', 'START'],
      ['ActionStep', 'Beoordelen', '010'],
      ['QueueStep', 'Wachtrij techniek & service', 'WACHT'],
      ['ActionStep', 'Terugkoppelen', '020'],
      ['EndStep', 'Gesloten', 'EIND'],
    ],
  },
  {
    number: 3,
    name: 'Abonnement',
    entityType: 13,
    steps: [
      ['StartStep', 'Aanvraag', 'START'],
      ['ActionStep', 'Lopend', '010'],
      ['EndStep', 'Beëindigd', 'EIND'],
    ],
  },
  {
    number: 4,
    name: 'Orderverwerking',
    entityType: 14,
    steps: [
      ['StartStep', 'Besteld', 'START'],
      ['QueueStep', 'Magazijn', 'WACHT'],
      ['ActionStep', 'Verzonden', '020'],
      ['EndStep', 'Gefactureerd', 'EIND'],
    ],
  },
];

/** Id of a step: workflow and place counted from one. */
export const stepId = (workflow: Workflow, place: number): string => knownId('step', workflow.number * 100 + place);

/** Id of the queue of a workflow. */
export const queueId = (workflow: Workflow): string => knownId('queue', workflow.number);

/** Users that may sign in and own activities; the last has no work at all. */
export const users: readonly [string, string, ...string[]] = [
  'Sandbox gebruiker',
  'Bram de Groot',
  'Chloë Çelik',
  'Żaneta Nowak',
  'Stille gebruiker',
];

/** Id of a user by number, from one. */
export const userId = (number: number): string => knownId('user', number);

/** Rates of value added tax. */
export const vatRates: readonly (readonly [code: string, description: string, percentage: string])[] = [
  ['H', 'Hoog', '21.00'],
  ['L', 'Laag', '9.00'],
  ['0', 'Nultarief', '0.00'],
];

/** Product groups. */
export const productGroups: readonly string[] = [
  'Abonnementen',
  'Advies',
  'Fietsen',
  'Onderdelen',
  'Software',
  'Training & opleiding',
];

/** Titles a person can carry. */
export const titles: readonly string[] = ['dhr.', 'mevr.', 'dr.', 'prof. dr.', 'ir.'];
