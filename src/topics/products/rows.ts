import { operations } from '../../contract/service.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { pastedGuid } from '../../core/text/scalars.js';
import { productChanges, productMembers } from './product-flags.js';
import type { RowBase } from '../../formats/edits/base.js';
import { defined, isRecord, type RecordValue, valueForMessage } from '../../core/values/value.js';
import type { Sent, Ending } from '../../state/ledger/outcome.js';
import { stalenessMs } from '../../kit/session/session.js';
import type { BatchContext, RowPlan, RowsText, RowValues } from '../../writes/rows/rows-text.js';
import {
  allChanges,
  changeByOthers,
  changesBetween,
  productsIn,
  readProducts,
  seenProduct,
  asText,
  titleOf,
  productToSend,
} from './find.js';
import type { RecordType } from '../../contract/build.js';
import { PvProductData_V2 } from '../../contract/records/product.js';
import { kindOfType, type CellState } from '../../formats/edits/cell-state.js';
import { cellText } from '../../formats/columns.js';

const record: RecordType = PvProductData_V2;

function productState(product: RecordValue, member: string): CellState | undefined {
  const name = productMembers[member];
  const type = record.fields[member]?.type;
  if (name === undefined || type === undefined) return undefined;
  return { name, kind: kindOfType(type), text: cellText(product[member]) };
}

function movedSince(base: RowBase, product: RecordValue): string | undefined {
  const moved = Object.keys(productMembers).filter((member) => {
    const state = productState(product, member);
    return state !== undefined && base.hasColumn(state.name) && !base.holds(state);
  });
  if (moved.length === 0) return undefined;
  return moved.map((member) => `${member} is ${valueForMessage(product[member])} now`).join('; ');
}

function isSameText(left: RecordValue, right: RecordValue): boolean {
  const names = Object.keys(left);
  const others = Object.keys(right);
  return names.length === others.length && names.every((name, at) => name === others[at] && left[name] === right[name]);
}

/** The products of one reading, by Id and by code. */
export class ProductList {
  readonly readMs: number;
  readonly #byId = new Map<string, RecordValue>();
  readonly #byCode = new Map<string, RecordValue[]>();

  constructor(products: readonly RecordValue[], readMs: number) {
    this.readMs = readMs;
    for (const product of products) {
      const code = asText(product['Code']);
      this.#byId.set(asText(product['Id']).toLowerCase(), product);
      const others = this.#byCode.get(code);
      if (others === undefined) this.#byCode.set(code, [product]);
      else others.push(product);
    }
  }

  byId(id: string): RecordValue | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /** The same product of this list where nothing of it changed: two readings take little more room than one. */
  asBefore(product: RecordValue): RecordValue {
    const before = this.byId(asText(product['Id']));
    return before !== undefined && isSameText(before, product) ? before : product;
  }

  find(text: string): RecordValue {
    const id = pastedGuid(text);
    const byCode = this.#byCode.get(text) ?? [];
    const product = byCode[0] ?? (id === undefined ? undefined : this.byId(id));
    if (product === undefined) throw usage('product', `there is no product '${text}'`);
    if (byCode.length > 1) throw usage('product', `several products have the code '${text}': use the Id`);
    return product;
  }
}

/** The list of products, which is read again when it is too old. */
export class FreshProducts {
  readonly #batchContext: BatchContext;
  #list: ProductList | undefined;
  #first: ProductList | undefined;
  #reading: Promise<ProductList> | undefined;

  constructor(batchContext: BatchContext) {
    this.#batchContext = batchContext;
  }

  get list(): ProductList {
    if (this.#list === undefined) throw new RelctlError('bug', 'relctl did not read the products');
    return this.#list;
  }

  /** The list that was read first: rows are planned by it, whenever they are, so that what was shown is what is compared. */
  get first(): ProductList {
    return this.#first ?? this.list;
  }

  /** A list that is not too old. Throws what the call throws. */
  async fresh(): Promise<ProductList> {
    const { context, session } = this.#batchContext;
    const isFresh = this.#list !== undefined && context.clock.nowMs() - this.#list.readMs <= stalenessMs(session);
    return isFresh ? this.list : this.#readOnce();
  }

  /** A list that is asked for after this call. Throws what the call throws. */
  async renewed(): Promise<ProductList> {
    // One that is under way may show less than what was sent last; its failure is that of who waits for it.
    await this.#reading?.catch(() => undefined);
    return this.#readOnce();
  }

  /** Reads the list; those that ask while it is read get the same. */
  #readOnce(): Promise<ProductList> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<ProductList> {
    const readMs = this.#batchContext.context.clock.nowMs();
    const before = this.#list;
    const result = await readProducts(this.#batchContext, before && ((product) => before.asBefore(product)));
    this.#list = new ProductList(productsIn(result), readMs);
    this.#first ??= this.#list;
    return this.#list;
  }
}

/** A row of a product that was changed since the export is a conflict, unless the product has its edits already. */
function endOf(base: RowBase | undefined, product: RecordValue): Ending | undefined {
  const moved = base && movedSince(base, product);
  if (moved === undefined) return undefined;
  return { outcome: 'conflict', words: `product ${titleOf(product)} changed since the export: ${moved}` };
}

function planRow({ values, base }: RowValues, { first }: FreshProducts): RowPlan {
  const product = first.find(String(values['product']));
  const edits = productChanges(values);
  const changes = changesBetween(Object.keys(edits), product, edits);
  const input = { productData: changes.length === 0 ? product : productToSend(product, edits) };
  const key = asText(product['Id']).toLowerCase();
  const ends = changes.length === 0 ? undefined : endOf(base, product);
  return { key, title: titleOf(product), input, before: product, changes, ...defined({ ends }) };
}

/**
 * Puts a product back: what the write changed, and nothing that others changed beside it. By what is given as its state before,
 * one that is not as the write left it is a conflict.
 */
function back({ input, before }: Sent, { first }: FreshProducts): RowPlan {
  const sent = input['productData'];
  if (before === undefined || !isRecord(sent)) throw usage(undefined, 'the former values of the product are unknown');
  const changed = allChanges(before, sent);
  const now = first.byId(asText(sent['Id'])) ?? sent;
  const after = changed.map(({ name, to }) => [name, to ?? null] as const);
  const former = changed.map(({ name, from }) => [name, from ?? null] as const);
  return {
    key: asText(sent['Id']).toLowerCase(),
    title: titleOf(now),
    input: { productData: productToSend(now, Object.fromEntries(former)) },
    before: { ...now, ...Object.fromEntries(after) },
    changes: changed.map(({ name, from, to }) => ({ name, from: to, to: from })),
  };
}

async function again(plan: RowPlan, products: FreshProducts): Promise<RowPlan | Ending> {
  const { before = {}, input } = plan;
  const now = (await products.fresh()).byId(asText(before['Id']));
  const words = changeByOthers(before, now);
  if (words === undefined) return plan;
  const sent = input['productData'];
  const isThere = now !== undefined && isRecord(sent) && allChanges(sent, now).length === 0;
  return isThere ? { outcome: 'unchanged' } : { outcome: 'conflict', words };
}

/** How products are changed by the rows of a file. */
export const productRows: RowsText<FreshProducts> = {
  operation: operations.ProductUpdate_V2,
  does: 'change',
  record: { argument: 'product', members: ['Id', 'Code'] },
  members: productMembers,
  base: 'needed',
  open: async (batchContext) => {
    const products = new FreshProducts(batchContext);
    await products.fresh();
    return products;
  },
  plan: planRow,
  again,
  back,
  looking: {
    refresh: async (products) => {
      await products.renewed();
    },
    readMs: ({ list }) => list.readMs,
    at: ({ input: { productData }, before }, { list }) =>
      isRecord(productData) ? seenProduct(productData, before, list.byId(asText(productData['Id']))) : undefined,
  },
};
