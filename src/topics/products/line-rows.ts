import type { Ending } from '../../state/ledger/outcome.js';
import { withoutMistakes } from '../../writes/rows/read-row.js';
import type { BatchContext, RowPlan, RowsText, RowValues } from '../../writes/rows/rows-text.js';
import { lineOf, type LineFlags, termOf, terms } from './line.js';
import { operations } from '../../contract/service.js';
import { usage } from '../../core/errors/relctl-error.js';
import { type RecordValue, movedWords } from '../../core/values/value.js';
import { changesBetween, asText, titleOf } from './find.js';
import { FreshProducts, type ProductList } from './rows.js';

interface LineProducts {
  readonly first: ProductList;
  readonly fresh: FreshProducts;
}

async function termsOf(product: RecordValue, { values }: RowValues): Promise<RecordValue> {
  const products = await withoutMistakes(
    terms.map((term) => (): readonly (readonly [string, string])[] => {
      const value = values[term.flag];
      if (value === null) throw usage(term.flag, `a line needs a ${term.words}`);
      return value === undefined ? [[term.field, termOf(product, term)]] : [];
    }),
  );
  return Object.fromEntries(products.flat());
}

const lineFlags = ({ values }: RowValues): LineFlags =>
  // The readers of the flags made these values; null is none of them.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as unknown as LineFlags;

async function planRow(
  row: RowValues,
  { first }: LineProducts,
  more: (row: RowValues) => RecordValue,
): Promise<RowPlan> {
  const product = first.find(String(row.values['product']));
  const before = await termsOf(product, row);
  const activityId = String(row.values['id']);
  const defaults = terms.flatMap(({ parameter, field }) =>
    field in before ? [[parameter, asText(before[field])] as const] : [],
  );
  const line = lineOf(lineFlags(row), { productId: asText(product['Id']), ...Object.fromEntries(defaults) });
  const input = { activityId, ...line, ...more(row) };
  return {
    key: activityId.toLowerCase(),
    title: `product ${titleOf(product)} on ${activityId}`,
    input,
    ...(defaults.length === 0 ? {} : { before }),
    changes: Object.entries({ ...line, ...more(row) }).map(([name, to]) => ({ name, to })),
  };
}

async function again(plan: RowPlan, { fresh }: LineProducts): Promise<RowPlan | Ending> {
  const { before, input, title } = plan;
  if (before === undefined) return plan;
  const now = (await fresh.fresh()).byId(asText(input['productId']));
  const moved = changesBetween(Object.keys(before), before, now ?? {});
  if (now !== undefined && moved.length === 0) return plan;
  const words = movedWords(moved);
  return { outcome: 'conflict', words: `the product was changed by somebody else: ${title}: ${words}` };
}

const lineMembers = {
  ProductId: 'product',
  Quantity: 'quantity',
  Amount: 'amount',
  PurchaseAmount: 'purchase-amount',
  VatId: 'vat',
  Description: 'description',
};

const linesBy = (more: (row: RowValues) => RecordValue): Omit<RowsText<LineProducts>, 'operation' | 'members'> => ({
  does: 'add',
  record: { argument: 'id', members: ['activityId'] },
  open: async (batchContext: BatchContext) => {
    const fresh = new FreshProducts(batchContext);
    return { first: await fresh.fresh(), fresh };
  },
  plan: (row, products) => planRow(row, products, more),
  again,
});

/** How product lines are added to activities by the rows of a file. */
export const activityLineRows: RowsText<LineProducts> = {
  operation: operations.ActivityAddProductLine,
  members: lineMembers,
  ...linesBy(() => ({})),
};

/** How product lines are added to subscriptions by the rows of a file. */
export const subscriptionLineRows: RowsText<LineProducts> = {
  operation: operations.SubscriptionAddProductLine,
  members: lineMembers,
  ...linesBy(({ values }) => ({ period: values['period'] as number })),
};
