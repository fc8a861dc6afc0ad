import { ProductLineData, PvActivityData } from '../../contract/records/activity.js';
import { PvProductData_V2 } from '../../contract/records/product.js';
import type { OutputOf } from '../../contract/infer.js';
import { multiplyDecimals } from '../../lexical/decimal.js';
import { notASubscription } from '../refusals.js';
import { known as knownIds } from '../dataset/known.js';
import type { Stored } from '../store/rows.js';
import { insertRecord } from '../store/write.js';
import { whole, type Activity } from './activities.js';
import { saveActivity } from './change.js';
import { answered, refuse, type Call, type Handler } from './handler.js';
import { check, idOf, known } from './known.js';

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

/** Adds a line to an activity that is there; its total is exact, with all its digits. */
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
    ...(typeof line.description === 'string' ? { Description: line.description } : {}),
    Period: line.period ?? 0,
  };
  insertRecord(store, ProductLineData, { value, extra: { ActivityId: idOf(activity.record.Id) } });
  saveActivity(call, activity);
  return value;
}

/** Interface document, Endpoints, ActivityAddProductLine. */
export const ActivityAddProductLine: Handler<'ActivityAddProductLine'> = (call, input) => {
  const activity = known(call.store, PvActivityData, { id: input.activityId, what: 'activity' });
  return answered({ ProductLineData: addLine(call, activity, input) });
};

/** Interface document, Endpoints, SubscriptionAddProductLine; PvActivityData. */
export const SubscriptionAddProductLine: Handler<'SubscriptionAddProductLine'> = (call, input) => {
  const { store } = call;
  const activity = known(store, PvActivityData, { id: input.activityId, what: 'subscription' });
  const { Settings } = activity.record;
  if (idOf(Settings?.WorkflowId) !== knownIds.subscriptionWorkflowId) {
    refuse({ ...notASubscription, description: `The activity ${idOf(input.activityId)} is no subscription.` });
  }
  const line = addLine(call, activity, input);
  const changed = known(store, PvActivityData, { id: input.activityId, what: 'subscription' });
  return answered({ ProductLineData: line, ActivityData: whole(store, changed) });
};
