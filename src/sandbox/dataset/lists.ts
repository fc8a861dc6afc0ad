import {
  PvDatastoreItemDataWithParent_V2,
  PvSbiCodeData,
  PvSystemDatastoreItemData,
} from '../../contract/records/datastore.js';
import { SystemDatastoreType } from '../../contract/enumerations.js';
import { PvFieldData } from '../../contract/records/shared.js';
import { PvMarkData } from '../../contract/records/mark.js';
import { PvWorkflowStepData } from '../../contract/records/workflow.js';
import {
  datastores,
  entityTypeId,
  entityTypes,
  marks,
  productGroups,
  queueId,
  sbiCodes,
  stepId,
  systemDatastores,
  titles,
  userId,
  users,
  vatRates,
  workflows,
} from './catalogue.js';
import { fields, type FieldText } from './fields.js';
import { knownId } from './known.js';
import { adder, type Making } from './making.js';

const addNamed = ({ store }: Making): void => {
  const entityType = store.statement('INSERT INTO "EntityType" (Id, Name, Kind) VALUES (?, ?, ?)');
  for (const { number, name, kind } of entityTypes) entityType.run(entityTypeId(number), name, kind);
  const user = store.statement('INSERT INTO "User" (Id, Name) VALUES (?, ?)');
  users.forEach((name, at) => user.run(userId(at + 1), name));
  const group = store.statement('INSERT INTO "ProductGroup" (Id, Name) VALUES (?, ?)');
  productGroups.forEach((name, at) => group.run(knownId('productGroup', at + 1), name));
  const title = store.statement('INSERT INTO "Title" (Id, Name) VALUES (?, ?)');
  titles.forEach((name, at) => title.run(knownId('title', at + 1), name));
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

const addField = (add: ReturnType<typeof adder<typeof PvFieldData>>, text: FieldText): void => {
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
      // Every field carries a value here, also those without a list: it is then the first of the enumeration.
      ComboboxValues: field.source,
      ...(datastoreId === undefined ? {} : { ExtraInfo: datastoreId }),
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
  SystemDatastoreType.values.forEach((type, place) => {
    systemDatastores[type].forEach(([code, Description], at) => {
      const Id = knownId('systemItem', (place + 1) * 100 + at + 1);
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
        ...(external === undefined ? {} : { ExternalDescription: external }),
        IsInactive: inactive ?? false,
        Type: campaign === true ? 2 : 1,
      },
      { IsCampaign: campaign === true ? 1 : 0 },
    ),
  );
}
