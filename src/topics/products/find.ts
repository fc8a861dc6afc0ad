import { wholeListIn } from '../../client/list-answer.js';
import { candidateLines, corrected, refuseUnasked, parameterName, type IdParameter } from '../../kit/names/places.js';
import type { AskingFlags } from '../../kit/consent.js';
import type { CommonFlags } from '../../kit/flags/common.js';
import type { Session, SessionContext } from '../../kit/session/session.js';
import { operations } from '../../contract/service.js';
import { RelctlError, perhaps, usage } from '../../core/errors/relctl-error.js';
import { note, notesOfPrinted, warnOfNotes } from '../../kit/host/notes.js';
import { isGuid, pastedGuid, sameGuid } from '../../core/text/scalars.js';
import { nearest, isSameName } from '../../core/text/nearest.js';
import { defined, type RecordValue, type Value } from '../../core/values/value.js';
import { PvProductData_V2 } from '../../contract/records/product.js';
import { differences, type Change } from '../../lists/record/differences.js';

/** The fields among these names whose value differs. */
export const changesBetween = (names: readonly string[], from: RecordValue, to: RecordValue): readonly Change[] =>
  differences({ fields: PvProductData_V2.fields, names }, from, to);

/** The fields of either product whose value differs. */
export const allChanges = (from: RecordValue, to: RecordValue): readonly Change[] =>
  changesBetween([...new Set([from, to].flatMap(Object.keys))], from, to);

/** The product as it is sent back, with these changes. Throws `bad-answer` when it has fields that would get lost on the way. */
export function whole(product: RecordValue, changes: RecordValue): RecordValue {
  const unknown = Object.keys(product).filter((name) => !Object.hasOwn(PvProductData_V2.fields, name));
  if (unknown.length > 0) {
    throw new RelctlError(
      'bad-answer',
      `the product has fields that relctl does not know (${unknown.join(', ')}): writing it back would drop them; nothing was sent`,
      { facts: { code: 'unknown-field' } },
    );
  }
  // A nil field of the answer may be left out of the request: it means the same.
  const sent: Record<string, Value> = {};
  for (const [name, value] of Object.entries({ ...product, ...changes })) if (value !== null) sent[name] = value;
  return sent;
}

const read = operations.ProductGetAll_V2;

function missing(session: Session, wanted: string, codes: readonly string[]): RelctlError {
  const near = nearest(wanted, codes);
  return new RelctlError('not-found', `there is no product '${wanted}'`, {
    facts: { operation: read.name, profile: session.profile.name },
    ...perhaps(wanted, near, 'relctl product list'),
  });
}

/** The text of a value; empty for what is no text. */
export const textOf = (value: Value | undefined): string => (typeof value === 'string' ? value : '');

/** All products in the result of ProductGetAll_V2. Throws `bad-answer`. */
export function productsIn(result: RecordValue): readonly RecordValue[] {
  // Where the list is left out, nobody can say that a product is not there.
  return wholeListIn({ operation: read, shows: 'Products' }, result, false).records;
}

/** A product in words: its code, or its Id, and its name. */
export const titleOf = ({ Code, Id, Name }: RecordValue): string => `${textOf(Code ?? Id)} ${textOf(Name)}`.trim();

const argument = { group: 'args', key: 'product' } as const;

/** Where a product is looked for. */
export interface ProductContext extends SessionContext<AskingFlags> {
  /** The flag or argument that names it; the argument where it is left out. */
  readonly place?: IdParameter;
}

/** A product that was meant. */
export interface MeantProduct {
  readonly product: RecordValue;
  /** What its name was found to mean, in words; undefined where it was given by its code or Id. */
  readonly byName?: string;
}

const lineWith =
  (wanted: string, { context, place = argument }: ProductContext) =>
  (value: string): string =>
    corrected(place, wanted, { value, argv: context.environment.argv });

function several(
  found: readonly RecordValue[],
  wanted: string,
  { at, what }: { at: ProductContext; what: string },
): RelctlError {
  return usage(parameterName(at.place ?? argument), `several products have the ${what} '${wanted}'`, {
    advice: 'Give the Id of the one that is meant.',
    hint: 'relctl product list',
  }).but({
    excerpt: candidateLines(
      found.map((product) => ({ id: textOf(product['Id']), about: titleOf(product) })).filter(({ id }) => isGuid(id)),
      lineWith(wanted, at),
    ),
  });
}

/** The product of a code, an Id, or else a name. Throws `not-found`, `usage` for several, and `bad-answer`. */
function productIn(result: RecordValue, wanted: string, at: ProductContext): MeantProduct {
  const products = productsIn(result);
  const id = pastedGuid(wanted);
  const isWanted = ({ Code, Id }: RecordValue): boolean =>
    textOf(Code) === wanted || (id !== undefined && sameGuid(textOf(Id), id));
  const byKey = products.filter(isWanted);
  const found =
    byKey.length > 0 || wanted.trim() === '' ? byKey : products.filter(({ Name }) => isSameName(textOf(Name), wanted));
  const [product, second] = found;
  if (product === undefined) {
    const words = products.flatMap(({ Code, Name }) => [textOf(Code), textOf(Name)]).filter((word) => word !== '');
    throw missing(at.session, wanted, words);
  }
  if (second !== undefined) throw several(found, wanted, { at, what: byKey.length > 0 ? 'code' : 'name' });
  if (byKey.length > 0) return { product };
  const shown = parameterName(at.place ?? argument);
  return {
    product,
    byName: `${shown}: '${wanted}' is the name of product ${textOf(product['Code'] ?? product['Id'])}`,
  };
}

/** The same for a read, which reports what a name was resolved to. */
export async function resolveProduct(
  result: RecordValue,
  wanted: string,
  at: ProductContext & SessionContext<CommonFlags>,
): Promise<RecordValue> {
  const { product, byName } = productIn(result, wanted, at);
  if (byName !== undefined) await note(at.context, at.flags, byName);
  return product;
}

/** The same for a write. Throws `usage` as well for a name that nobody is asked about. */
export function writtenProductIn(result: RecordValue, wanted: string, at: ProductContext): MeantProduct {
  const meantProduct = productIn(result, wanted, at);
  if (meantProduct.byName !== undefined)
    refuseUnasked(meantProduct.byName, lineWith(wanted, at)(textOf(meantProduct.product['Id'])), at);
  return meantProduct;
}

/**
 * The answer with all products: the service has no way to ask for one. Throws what the call throws.
 * @param keep gives what is kept of each product, as soon as it is read
 */
export async function readProducts(
  { context, session, flags }: SessionContext<CommonFlags>,
  keep?: (product: RecordValue) => RecordValue,
): Promise<RecordValue> {
  const rows = keep && (() => ({ path: ['Products'], of: keep }));
  const reply = await session.client.callUntyped(read, {}, defined({ rows }));
  await warnOfNotes(context, flags, notesOfPrinted(reply.notes, ['Products']));
  return reply.result;
}
