import {
  PvDatastoreItemDataWithParent_V2,
  PvSbiCodeData,
  PvSystemDatastoreItemData,
} from '../../contract/records/datastore.js';
import { PvMarkData } from '../../contract/records/relation.js';
import { PvWorkflowStepData, ProductLineData, PvActivityData } from '../../contract/records/activity.js';
import { type Call, type Handlers, handlersOf, check, checkEntityType, idOf, known, refuse } from './handler.js';
import { insertRecord, readWhere, recordsWhere, updateRecord } from '../store/records.js';
import { type Stored, listsOf } from '../store/rows.js';
import { listFor } from '../store/schema.js';
import { type FieldInput, checkComplete, checkWritable, readFieldValues } from './field-values.js';
import { defined } from '../../core/values/value.js';
import { UnitType } from '../../contract/enumerations.js';
import type { OutputOf } from '../../contract/infer.js';
import { type PvProductData, PvProductData_V2 } from '../../contract/records/product.js';
import { multiplyDecimals } from '../../core/text/scalars.js';
import { known as knownIds } from '../dataset/known.js';
import { type Activity, saveActivity, whole } from './activity-lists.js';

/** The older form: the unit by name (assumptions.json, "UnitType and Unit"). */
function withUnitName({ Unit, ...product }: OutputOf<typeof PvProductData_V2>): OutputOf<typeof PvProductData> {
  return { ...product, UnitType: UnitType.values[Unit ?? 0] ?? UnitType.values[0] ?? '' };
}

type LineRequest = Parameters<Handlers['SubscriptionAddProductLine']>[1];

/** Adds a line to an activity; its total is exact, with all digits. Throws `refused` for an unknown product or rate. */
function addLine(call: Call, activity: Stored<Activity>, line: LineRequest): OutputOf<typeof ProductLineData> {
  const { store } = call;
  known(store, PvProductData_V2, { id: line.productId, what: 'product' });
  check(store, 'Vat', { id: line.vatId, what: 'VAT rate' });
  const [quantity, amount] = [line.quantity ?? '0', line.amount ?? '0'];
  const value = {
    Id: call.newId(),
    Quantity: quantity,
    Amount: amount,
    TotalAmount: multiplyDecimals(quantity, amount),
    PurchaseAmount: line.purchaseAmount ?? '0',
    VatId: idOf(line.vatId),
    ProductId: idOf(line.productId),
    ...defined({ Description: line.description ?? undefined }),
    Period: line.period ?? 0,
  };
  insertRecord(store, ProductLineData, {
    value,
    extra: { ActivityId: idOf(activity.record.Id), ActivitySeq: activity.seq },
  });
  saveActivity(call, activity);
  return value;
}

type Translations = readonly ({ readonly CultureCode?: string | null; readonly Value?: string | null } | null)[];

const valueOf = (inputs: readonly FieldInput[], name: string): string | undefined =>
  inputs.find(({ field }) => field.Name === name)?.value;

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

/** Operations on products, product lines, datastores, marks and workflows (interface document, Endpoints). */
export const productHandlers = handlersOf({
  ProductGetAllByGroup: ({ store }, input) => {
    check(store, 'ProductGroup', { id: input.productGroupId, what: 'product group' });
    const values = [idOf(input.productGroupId)];
    const products = recordsWhere(store, PvProductData_V2, { where: '"ProductGroupId" = ?', values });
    return { Products: products.map(withUnitName) };
  },
  ProductGetAll_V2: ({ store }) => ({
    Products: recordsWhere(store, PvProductData_V2, {}),
  }),
  // The whole record is written.
  ProductUpdate_V2: ({ store }, input) => {
    const product = input.productData ?? {};
    const { seq } = known(store, PvProductData_V2, { id: product.Id, what: 'product' });
    check(store, 'ProductGroup', { id: product.ProductGroupId, what: 'product group' });
    check(store, 'Vat', { id: product.SalesVatId, what: 'VAT rate' });
    if (UnitType.values[product.Unit ?? -1] === undefined) {
      refuse('InvalidProduct', `There is no unit ${String(product.Unit)}.`);
    }
    const value = {
      ...product,
      Id: idOf(product.Id),
      ProductGroupId: idOf(product.ProductGroupId),
      SalesVatId: idOf(product.SalesVatId),
    };
    updateRecord(store, PvProductData_V2, { seq, value });
    return {};
  },
  ActivityAddProductLine: (call, input) => {
    const activity = known(call.store, PvActivityData, { id: input.activityId, what: 'activity' });
    return { ProductLineData: addLine(call, activity, input) };
  },
  SubscriptionAddProductLine: (call, input) => {
    const { store } = call;
    const activity = known(store, PvActivityData, { id: input.activityId, what: 'subscription' });
    const { Settings } = activity.record;
    if (idOf(Settings?.WorkflowId) !== knownIds.subscriptionWorkflowId) {
      refuse('NotASubscription', `The activity ${idOf(input.activityId)} is not a subscription.`);
    }
    const line = addLine(call, activity, input);
    const changed = known(store, PvActivityData, { id: input.activityId, what: 'subscription' });
    return { ProductLineData: line, ActivityData: whole(store, changed) };
  },
  // Additional rules, 2.
  DatastoreGetWithParentItems_V2: ({ store }, input) => {
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
  },
  DatastoreCreateItem_V3: ({ store, newId }, input) => {
    checkEntityType(store, input.entityTypeId, 'Datastore');
    const EntityTypeId = idOf(input.entityTypeId);
    const fieldInputs = readFieldValues(store, EntityTypeId, input.fieldValues);
    checkWritable(store, fieldInputs);
    checkComplete(store, EntityTypeId, fieldInputs);
    const parent = valueOf(fieldInputs, 'Parent') ?? '';
    const ParentId = parent === '' ? null : idOf(parent);
    if (ParentId !== null) known(store, PvDatastoreItemDataWithParent_V2, { id: ParentId, what: 'entry' });
    const Code = valueOf(fieldInputs, 'Code');
    const item = {
      Id: newId(),
      Description: valueOf(fieldInputs, 'Description') ?? '',
      IsInactive: isYes(valueOf(fieldInputs, 'IsInactive')),
      IsDefault: isYes(valueOf(fieldInputs, 'IsDefault')),
      Translations: checkedTranslations(input.translations ?? []),
    };
    insertRecord(store, PvDatastoreItemDataWithParent_V2, {
      value: { ...item, ParentId },
      extra: { Code: Code ?? null, EntityTypeId },
    });
    return { DatastoreItem: { ...item, ...defined({ Code }) } };
  },
  DatastoreGetSbiCodes: ({ store }) => ({
    SbiCodes: recordsWhere(store, PvSbiCodeData, {}),
  }),
  SystemDatastoreGetItems: ({ store }, input) => {
    const values = [input.systemDatastoreType ?? ''];
    const where = '"SystemDatastoreType" = ?';
    return { DatastoreItems: recordsWhere(store, PvSystemDatastoreItemData, { where, values }) };
  },
  // Campaign marks are marks too.
  MarkGetAll: ({ store }) => ({ Marks: recordsWhere(store, PvMarkData, {}) }),
  CampaignMarkGetAll: ({ store }) => ({
    Marks: recordsWhere(store, PvMarkData, { where: '"IsCampaign" = 1' }),
  }),
  WorkflowStepGetAll: ({ store }, input) => {
    check(store, 'Workflow', { id: input.workflowId, what: 'workflow' });
    const values = [idOf(input.workflowId)];
    return { WorkflowSteps: recordsWhere(store, PvWorkflowStepData, { where: '"WorkflowId" = ?', values }) };
  },
});
