import {
  PvDatastoreItemDataWithParent_V2,
  PvSbiCodeData,
  PvSystemDatastoreItemData,
} from '../../contract/records/datastore.js';
import { PvMarkData } from '../../contract/records/mark.js';
import { PvWorkflowStepData } from '../../contract/records/workflow.js';
import { check, checkEntityType, type Handler, idOf, known, refuse } from './handler.js';
import { insertRecord, readWhere, recordsWhere } from '../store/records.js';
import { listsOf } from '../store/rows.js';
import { listFor } from '../store/schema.js';
import { checkComplete, checkWritable, type GivenValue, givenValues } from './field-values.js';
import { defined } from '../../plain/defined.js';

type Translations = readonly ({ readonly CultureCode?: string | null; readonly Value?: string | null } | null)[];

/** Interface document, Endpoints, DatastoreGetWithParentItems_V2; Additional rules, 2. */
export const DatastoreGetWithParentItems_V2: Handler<'DatastoreGetWithParentItems_V2'> = ({ store }, input) => {
  checkEntityType(store, input.entityTypeId, 'Datastore');
  const record = PvDatastoreItemDataWithParent_V2;
  const rows = readWhere(store, record, { where: '"EntityTypeId" = ?', values: [idOf(input.entityTypeId)] });
  if (input.includeTranslations !== true) return { DatastoreItems: rows.map((row) => row.record) };
  const lists = listsOf(
    store,
    listFor(record.name, 'Translations'),
    rows.map(({ seq }) => seq),
  );
  // The list table is derived from the same record.
  const translations = (seq: number): Translations => (lists.get(seq) ?? []) as Translations;
  return { DatastoreItems: rows.map((row) => ({ ...row.record, Translations: translations(row.seq) })) };
};

const valueOf = (given: readonly GivenValue[], name: string): string | undefined =>
  given.find(({ field }) => field.Name === name)?.value;

const isYes = (text: string | undefined): boolean => text !== undefined && /^(?:true|1)$/i.test(text);

/** Languages of an entry: each once, by a code such as nl-NL. */
function checkedTranslations(received: Translations): readonly { CultureCode: string; Value: string }[] {
  const seen = new Set<string>();
  return received.map((each) => {
    const CultureCode = each?.CultureCode ?? '';
    if (!/^[a-z]{2,3}(?:-[A-Z]{2})?$/.test(CultureCode) || seen.has(CultureCode)) {
      refuse('InvalidField', `The language '${CultureCode}' is not one, or comes twice.`);
    }
    seen.add(CultureCode);
    return { CultureCode, Value: each?.Value ?? '' };
  });
}

/** Interface document, Endpoints, DatastoreCreateItem_V3. */
export const DatastoreCreateItem_V3: Handler<'DatastoreCreateItem_V3'> = ({ store, newId }, input) => {
  checkEntityType(store, input.entityTypeId, 'Datastore');
  const EntityTypeId = idOf(input.entityTypeId);
  const given = givenValues(store, EntityTypeId, input.fieldValues);
  checkWritable(store, given);
  checkComplete(store, EntityTypeId, given);
  const parent = valueOf(given, 'Parent') ?? '';
  const ParentId = parent === '' ? null : idOf(parent);
  if (ParentId !== null) known(store, PvDatastoreItemDataWithParent_V2, { id: ParentId, what: 'entry' });
  const Code = valueOf(given, 'Code');
  const item = {
    Id: newId(),
    Description: valueOf(given, 'Description') ?? '',
    IsInactive: isYes(valueOf(given, 'IsInactive')),
    IsDefault: isYes(valueOf(given, 'IsDefault')),
    Translations: checkedTranslations(input.translations ?? []),
  };
  insertRecord(store, PvDatastoreItemDataWithParent_V2, {
    value: { ...item, ParentId },
    extra: { Code: Code ?? null, EntityTypeId },
  });
  return { DatastoreItem: { ...item, ...defined({ Code }) } };
};

/** Interface document, Endpoints, DatastoreGetSbiCodes. */
export const DatastoreGetSbiCodes: Handler<'DatastoreGetSbiCodes'> = ({ store }) => ({
  SbiCodes: recordsWhere(store, PvSbiCodeData, {}),
});

/** Interface document, Endpoints, SystemDatastoreGetItems. */
export const SystemDatastoreGetItems: Handler<'SystemDatastoreGetItems'> = ({ store }, input) => {
  const values = [input.systemDatastoreType ?? ''];
  const where = '"SystemDatastoreType" = ?';
  return { DatastoreItems: recordsWhere(store, PvSystemDatastoreItemData, { where, values }) };
};

/** Interface document, Endpoints, MarkGetAll; campaign marks are marks too. */
export const MarkGetAll: Handler<'MarkGetAll'> = ({ store }) => ({ Marks: recordsWhere(store, PvMarkData, {}) });

/** Interface document, Endpoints, CampaignMarkGetAll. */
export const CampaignMarkGetAll: Handler<'CampaignMarkGetAll'> = ({ store }) => ({
  Marks: recordsWhere(store, PvMarkData, { where: '"IsCampaign" = 1' }),
});

/** Interface document, Endpoints, WorkflowStepGetAll. */
export const WorkflowStepGetAll: Handler<'WorkflowStepGetAll'> = ({ store }, input) => {
  check(store, 'Workflow', { id: input.workflowId, what: 'workflow' });
  const values = [idOf(input.workflowId)];
  return { WorkflowSteps: recordsWhere(store, PvWorkflowStepData, { where: '"WorkflowId" = ?', values }) };
};
