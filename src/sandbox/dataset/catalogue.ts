import { SystemDatastoreType } from '../../contract/enumerations.js';
import {
  PvDatastoreItemDataWithParent_V2,
  PvSbiCodeData,
  PvSystemDatastoreItemData,
} from '../../contract/records/datastore.js';
import { PvMarkData } from '../../contract/records/relation.js';
import { PvFieldData } from '../../contract/records/shared.js';
import { PvWorkflowStepData } from '../../contract/records/activity.js';
import catalogue from './data/catalogue.json' with { type: 'json' };
import lists from './data/datastores.json' with { type: 'json' };
import codes from './data/sbi-codes.json' with { type: 'json' };
import { fields, type FieldText, type KnownGroup, knownId } from './known.js';
import { type Add, adder, type Making } from './making.js';
import { defined } from '../../core/values/value.js';

interface EntityType {
  readonly number: number;
  readonly name: string;
  readonly kind: 'Relation' | 'Relationship' | 'Line' | 'Activity' | 'Datastore';
}

/** Entity types by number (see known-ids.json); the sandbox has one catalogue, whatever the size of the data. */
const entityTypes = catalogue.entityTypes as readonly EntityType[];

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
export const stepId = (workflow: Workflow, index: number): string => knownId('step', workflow.number * 100 + index);

/** Id of the queue of a workflow. */
export const queueId = (workflow: Workflow): string => knownId('queue', workflow.number);

/** Rates of value added tax. */
export const vatRates = catalogue.vatRates as unknown as readonly (readonly [
  code: string,
  description: string,
  percentage: string,
])[];

const entityTypeSeqs = new Map(entityTypes.map(({ number }, at) => [number, at + 1]));

/** Where an entity type is in its table, by its number; 0 for an unknown one. */
export const entityTypeSeq = (number: number): number => entityTypeSeqs.get(number) ?? 0;

/** Where a workflow is in its table. */
export const workflowSeq = (workflow: Workflow): number => workflows.indexOf(workflow) + 1;

/** Names of product groups, and titles of persons. */
export const { productGroups, titles } = catalogue;

/** Marks, campaign marks among them; numbers (see known-ids.json) follow the order. */
export const { marks } = catalogue;

interface Datastore {
  readonly number: number;
  readonly parent?: number;
  readonly items: readonly (readonly [code: string, dutch: string, english: string, german?: string])[];
}

/** The datastores of the catalogue. Each item of a parent datastore is the parent of two items. */
const datastores = lists.datastores as unknown as readonly Datastore[];

/** Items of the lists that the system itself keeps; some have no code. */
const systemDatastores = lists.systemDatastores as unknown as Readonly<
  Record<
    (typeof SystemDatastoreType)['values'][number],
    readonly (readonly [code: string | null, description: string])[]
  >
>;

/** Standard business codes, a selection across all sections A to U. */
export const sbiCodes = codes as unknown as readonly (readonly [section: string, code: string, description: string])[];

const addNamed = ({ store }: Making): void => {
  const entityType = store.statement('INSERT INTO "EntityType" (Id, Name, Kind) VALUES (?, ?, ?)');
  for (const { number, name, kind } of entityTypes) entityType.run(entityTypeId(number), name, kind);
  const addNames = (table: string, group: KnownGroup, names: readonly string[]): void => {
    const row = store.statement(`INSERT INTO "${table}" (Id, Name) VALUES (?, ?)`);
    names.forEach((name, at) => row.run(knownId(group, at + 1), name));
  };
  // Users may sign in and own activities; the last has no work at all.
  addNames('User', 'user', catalogue.users);
  addNames('ProductGroup', 'productGroup', productGroups);
  addNames('Title', 'title', titles);
  const vat = store.statement('INSERT INTO "Vat" (Id, Code, Description, Percentage) VALUES (?, ?, ?, ?)');
  vatRates.forEach((rate, at) => vat.run(knownId('vat', at + 1), ...rate));
};

const addWorkflows = (making: Making): void => {
  const { store } = making;
  const addStep = adder(making, PvWorkflowStepData);
  const addWorkflow = store.statement('INSERT INTO "Workflow" (Id, Name, EntityTypeId) VALUES (?, ?, ?)');
  const addQueue = store.statement('INSERT INTO "Queue" (Id, Name, WorkflowId) VALUES (?, ?, ?)');
  for (const workflow of workflows) {
    const WorkflowId = knownId('workflow', workflow.number);
    addWorkflow.run(WorkflowId, workflow.name, entityTypeId(workflow.entityType));
    addQueue.run(queueId(workflow), `Wachtrij ${workflow.name}`, WorkflowId);
    workflow.steps.forEach(([Type, Name, Code], at) =>
      addStep({ Id: stepId(workflow, at + 1), Name, Code, Type }, { WorkflowId }),
    );
  }
};

/** The catalogue leaves out what is usual: a field of its own kind that may be empty and may be written. */
const usual = { readOnly: false, required: false, length: 0, source: 'Datastore', datastore: undefined } as const;

const addField = (add: Add<typeof PvFieldData>, text: FieldText): void => {
  const field = { ...usual, ...text };
  const common = field.number % 100 < 4;
  const datastoreId = field.datastore === undefined ? undefined : entityTypeId(field.datastore);
  add(
    {
      Id: knownId('field', field.number),
      Label: field.label,
      Name: field.name,
      SortIndex: field.number % 100,
      CategoryName: common ? 'Algemeen' : 'Overig & extra',
      CategorySortIndex: common ? 1 : 2,
      HideAtEntryForm: field.readOnly,
      UserFriendlyName: field.label,
      IsReadOnly: field.readOnly,
      ...(field.required ? { Description: 'Verplicht veld' } : {}),
      Control: field.control,
      Type: field.type,
      Length: field.length,
      // Fields without a list have a value here too: the first of the enumeration.
      ComboboxValues: field.source,
      ...defined({ ExtraInfo: datastoreId }),
      IsRequired: field.required,
    },
    { EntityTypeId: entityTypeId(field.entityType), DatastoreEntityTypeId: datastoreId ?? null },
  );
};

const addDatastores = (making: Making): void => {
  const add = adder(making, PvDatastoreItemDataWithParent_V2);
  for (const store of datastores) {
    store.items.forEach(([Code, dutch, english, german], at) => {
      add(
        {
          Id: knownId('datastoreItem', store.number * 100 + at + 1),
          ParentId:
            store.parent === undefined ? null : knownId('datastoreItem', store.parent * 100 + 1 + Math.floor(at / 2)),
          Description: dutch,
          IsInactive: at === 4,
          IsDefault: at === 0,
          Translations: [
            { CultureCode: 'nl-NL', Value: dutch },
            { CultureCode: 'en-US', Value: english },
            ...(german === undefined ? [] : [{ CultureCode: 'de-DE', Value: german }]),
          ],
        },
        { Code, EntityTypeId: entityTypeId(store.number) },
      );
    });
  }
};

const addSystemDatastores = (making: Making): void => {
  const add = adder(making, PvSystemDatastoreItemData);
  SystemDatastoreType.values.forEach((type, index) => {
    systemDatastores[type].forEach(([code, Description], at) => {
      const Id = knownId('systemItem', (index + 1) * 100 + at + 1);
      add({ Id, Description, ...(code === null ? {} : { Code: code }) }, { SystemDatastoreType: type });
    });
  });
};

/** Makes everything whose size does not depend on the number of relations. */
export function addLists(making: Making): void {
  addNamed(making);
  addWorkflows(making);
  const addOneField = adder(making, PvFieldData);
  for (const field of fields) addField(addOneField, field);
  addDatastores(making);
  addSystemDatastores(making);
  const addCode = adder(making, PvSbiCodeData);
  sbiCodes.forEach(([Section, Code, Description], at) =>
    addCode({ Id: knownId('sbiCode', at + 1), Code, Section, Description }),
  );
  const addMark = adder(making, PvMarkData);
  marks.forEach(({ category, name, external, campaign, inactive }, at) =>
    addMark(
      {
        Id: knownId('mark', at + 1),
        Category: category,
        Name: name,
        ...defined({ ExternalDescription: external }),
        IsInactive: inactive ?? false,
        Type: campaign === true ? 2 : 1,
      },
      { IsCampaign: campaign === true ? 1 : 0 },
    ),
  );
}
