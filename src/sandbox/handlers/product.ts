import { UnitType } from '../../contract/enumerations.js';
import type { OutputOf } from '../../contract/infer.js';
import { ProductLineData, PvActivityData } from '../../contract/records/activity.js';
import { type PvProductData, PvProductData_V2 } from '../../contract/records/product.js';
import { multiplyDecimals } from '../../lexical/values/decimal.js';
import { known as knownIds } from '../dataset/known.js';
import { type Call, check, type Handler, idOf, known, refuse } from './handler.js';
import { insertRecord, recordsWhere, updateRecord } from '../store/records.js';
import type { Stored } from '../store/rows.js';
import { type Activity, whole } from './activities.js';
import { saveActivity } from './change.js';
import { defined } from '../../plain/defined.js';

/** The older form: the unit by name (assumptions.json, "UnitType and Unit"). */
function withUnitName({ Unit, ...product }: OutputOf<typeof PvProductData_V2>): OutputOf<typeof PvProductData> {
  return { ...product, UnitType: UnitType.values[Unit ?? 0] ?? UnitType.values[0] ?? '' };
}

/** Interface document, Endpoints, ProductGetAllByGroup. */
export const ProductGetAllByGroup: Handler<'ProductGetAllByGroup'> = ({ store }, input) => {
  check(store, 'ProductGroup', { id: input.productGroupId, what: 'product group' });
  const values = [idOf(input.productGroupId)];
  const products = recordsWhere(store, PvProductData_V2, { where: '"ProductGroupId" = ?', values });
  return { Products: products.map(withUnitName) };
};

/** Interface document, Endpoints, ProductGetAll_V2. */
export const ProductGetAll_V2: Handler<'ProductGetAll_V2'> = ({ store }) => ({
  Products: recordsWhere(store, PvProductData_V2, {}),
});

/** Interface document, Endpoints, ProductUpdate_V2: the whole record is written. */
export const ProductUpdate_V2: Handler<'ProductUpdate_V2'> = ({ store }, input) => {
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
};

interface GivenLine {
  readonly activityId?: string | null;
  readonly quantity?: string | null;
  readonly productId?: string | null;
  readonly description?: string | null;
  readonly vatId?: string | null;
  readonly amount?: string | null;
  readonly purchaseAmount?: string | null;
  readonly period?: number | null;
}

/** Adds a line to an activity; its total is exact, with all digits. Throws `refused` for an unknown product or rate. */
function addLine(call: Call, activity: Stored<Activity>, line: GivenLine): OutputOf<typeof ProductLineData> {
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

/** Interface document, Endpoints, ActivityAddProductLine. */
export const ActivityAddProductLine: Handler<'ActivityAddProductLine'> = (call, input) => {
  const activity = known(call.store, PvActivityData, { id: input.activityId, what: 'activity' });
  return { ProductLineData: addLine(call, activity, input) };
};

/** Interface document, Endpoints, SubscriptionAddProductLine; PvActivityData. */
export const SubscriptionAddProductLine: Handler<'SubscriptionAddProductLine'> = (call, input) => {
  const { store } = call;
  const activity = known(store, PvActivityData, { id: input.activityId, what: 'subscription' });
  const { Settings } = activity.record;
  if (idOf(Settings?.WorkflowId) !== knownIds.subscriptionWorkflowId) {
    refuse('NotASubscription', `The activity ${idOf(input.activityId)} is no subscription.`);
  }
  const line = addLine(call, activity, input);
  const changed = known(store, PvActivityData, { id: input.activityId, what: 'subscription' });
  return { ProductLineData: line, ActivityData: whole(store, changed) };
};
