import { operations } from '../../contract/service.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { pastedGuid } from '../../core/text/scalars.js';
import { productChanges, productMembers } from './product-flags.js';
import type { RowBase } from '../../formats/edits/base.js';
import {
  defined,
  isRecord,
  type RecordValue,
  type Value,
  movedWords,
  valueForMessage,
} from '../../core/values/value.js';
import type { Sent, Ending } from '../../state/ledger/outcome.js';
import type { Change } from '../../lists/record/differences.js';
import { stalenessMs } from '../../kit/session/session.js';
import type { BatchContext, RowPlan, RowsText, RowValues, Seen } from '../../writes/rows/rows-text.js';
import { changesBetween, allChanges, whole, productsIn, readProducts, textOf, titleOf } from './find.js';
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
      const code = textOf(product['Code']);
      this.#byId.set(textOf(product['Id']).toLowerCase(), product);
      const others = this.#byCode.get(code);
      if (others === undefined) this.#byCode.set(code, [product]);
      else others.push(product);
    }
  }

  /** The product of an Id, in any case of letters. */
  byId(id: string): RecordValue | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /** The same product of this list where nothing of it changed: two readings take little more room than one. */
  asBefore(product: RecordValue): RecordValue {
    const before = this.byId(textOf(product['Id']));
    return before !== undefined && isSameText(before, product) ? before : product;
  }

  /** The product of a code or an Id. Throws `usage`. */
  find(wanted: string): RecordValue {
    const id = pastedGuid(wanted);
    const byCode = this.#byCode.get(wanted) ?? [];
    const found = byCode[0] ?? (id === undefined ? undefined : this.byId(id));
    if (found === undefined) throw usage('product', `there is no product '${wanted}'`);
    if (byCode.length > 1) throw usage('product', `several products have the code '${wanted}': give the Id`);
    return found;
  }
}

/** The list of products, which is read again when it is too old. */
export class FreshProducts {
  readonly #batchContext: BatchContext;
  #list: ProductList | undefined;
  #first: ProductList | undefined;
  #reading: Promise<ProductList> | undefined;

  constructor(place: BatchContext) {
    this.#batchContext = place;
  }

  get list(): ProductList {
    if (this.#list === undefined) throw new RelctlError('bug', 'products were not read');
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
  return { outcome: 'conflict', words: `product ${titleOf(product)} was changed since the export: ${moved}` };
}

function planRow({ values, base }: RowValues, { first }: FreshProducts): RowPlan {
  const product = first.find(String(values['product']));
  const wanted = productChanges(values);
  const changes = changesBetween(Object.keys(wanted), product, wanted);
  const input = { productData: changes.length === 0 ? product : whole(product, wanted) };
  const key = textOf(product['Id']).toLowerCase();
  const ends = changes.length === 0 ? undefined : endOf(base, product);
  return { key, title: titleOf(product), input, before: product, changes, ...defined({ ends }) };
}

/**
 * Puts a product back: what the write changed, and nothing that others changed beside it. By what is given as its state before,
 * one that is not as the write left it is a conflict.
 */
function back({ input, before }: Sent, { first }: FreshProducts): RowPlan {
  const sent = input['productData'];
  if (before === undefined || !isRecord(sent)) throw usage(undefined, 'what the product was before is not known');
  const changed = allChanges(before, sent);
  const now = first.byId(textOf(sent['Id'])) ?? sent;
  const left = changed.map(({ name, to }) => [name, to ?? null] as const);
  const former = changed.map(({ name, from }) => [name, from ?? null] as const);
  return {
    key: textOf(sent['Id']).toLowerCase(),
    title: titleOf(now),
    input: { productData: whole(now, Object.fromEntries(former)) },
    before: { ...now, ...Object.fromEntries(left) },
    changes: changed.map(({ name, from, to }) => ({ name, from: to, to: from })),
  };
}

/** The fields that differ; of the same reading of the list none does. */
const movesBetween = (before: RecordValue, now: RecordValue): readonly Change[] =>
  before === now ? [] : allChanges(before, now);

const isSameProduct = (left: RecordValue, right: RecordValue): boolean => allChanges(left, right).length === 0;

async function again(plan: RowPlan, products: FreshProducts): Promise<RowPlan | Ending> {
  const { before = {}, title, input } = plan;
  const now = (await products.fresh()).byId(textOf(before['Id']));
  const moved = now === undefined ? [] : movesBetween(before, now);
  if (now !== undefined && moved.length === 0) return plan;
  const wanted = input['productData'];
  if (now !== undefined && isRecord(wanted) && isSameProduct(wanted, now)) return { outcome: 'unchanged' };
  const words = movedWords(moved);
  const what = now === undefined ? 'removed' : 'changed';
  return {
    outcome: 'conflict',
    words: `product ${title} was ${what} by somebody else${words === '' ? '' : `: ${words}`}`,
  };
}

function seenOf(sent: Value | undefined, before: RecordValue | undefined, list: ProductList): Seen | undefined {
  if (!isRecord(sent)) return undefined;
  const now = list.byId(textOf(sent['Id']));
  if (now === undefined) return { is: 'other', words: `product ${titleOf(sent)} is not there any more` };
  if (isSameProduct(sent, now)) return { is: 'as-sent' };
  if (before !== undefined && isSameProduct(before, now)) return { is: 'as-before' };
  const changes = allChanges(sent, now);
  const words = movedWords(changes, 'was sent as');
  return { is: 'other', words: `product ${titleOf(sent)} is not what was sent: ${words}` };
}

/** How products are changed by the rows of a file. */
export const productRows: RowsText<FreshProducts> = {
  operation: operations.ProductUpdate_V2,
  does: 'change',
  record: { argument: 'product', members: ['Id', 'Code'] },
  members: productMembers,
  hasFields: false,
  base: 'needed',
  open: async (place) => {
    const products = new FreshProducts(place);
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
    at: ({ input, before }, { list }) => seenOf(input['productData'], before, list),
  },
};
