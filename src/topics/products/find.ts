import { wholeListIn } from '../../client/list-answer.js';
import type { IdParameter } from '../../kit/host/context.js';
import { candidateLines, corrected, refuseUnasked, parameterName } from '../../names/profile-names.js';
import type { AskingFlags } from '../../kit/consent.js';
import type { CommonFlags } from '../../kit/flags/common.js';
import type { Session, SessionContext } from '../../kit/session/session.js';
import { operations } from '../../contract/service.js';
import { RelctlError, perhaps, usage } from '../../core/errors/relctl-error.js';
import { note, notesOfPrinted, warnOfNotes } from '../../kit/host/notes.js';
import { isGuid, pastedGuid, sameGuid } from '../../core/text/scalars.js';
import { nearest, isSameName } from '../../core/text/text.js';
import { defined, movedWords, type RecordValue, type Value } from '../../core/values/value.js';
import type { Seen } from '../../writes/rows/rows-text.js';
import { PvProductData_V2 } from '../../contract/records/product.js';
import { differences, type Change } from '../../lists/record/differences.js';

/** The fields among these names whose value differs. */
export const changesBetween = (names: readonly string[], from: RecordValue, to: RecordValue): readonly Change[] =>
  differences({ fields: PvProductData_V2.fields, names }, from, to);

/** The fields of either product whose value differs. */
export const allChanges = (from: RecordValue, to: RecordValue): readonly Change[] =>
  changesBetween([...new Set([from, to].flatMap(Object.keys))], from, to);

/** What somebody else did to a product since it was read, in words; undefined where it is as it was. */
export function changeByOthers(before: RecordValue, now: RecordValue | undefined): string | undefined {
  if (now === undefined) return `product ${titleOf(before)} was removed by somebody else`;
  const changes = before === now ? [] : allChanges(before, now);
  if (changes.length === 0) return undefined;
  return `product ${titleOf(before)} was changed by somebody else: ${movedWords(changes)}`;
}

/** How a product that was sent is now. */
export function seenProduct(sent: RecordValue, before: RecordValue | undefined, now: RecordValue | undefined): Seen {
  if (now === undefined) return { is: 'other', words: `product ${titleOf(sent)} no longer exists` };
  const changes = allChanges(sent, now);
  if (changes.length === 0) return { is: 'as-sent' };
  if (before !== undefined && allChanges(before, now).length === 0) return { is: 'as-before' };
  return { is: 'other', words: `product ${titleOf(sent)} is not as sent: ${movedWords(changes, 'was sent as')}` };
}

/** The product as it is sent back, with these changes. Throws `bad-answer` when it has fields that would get lost on the way. */
export function productToSend(product: RecordValue, changes: RecordValue): RecordValue {
  const unknown = Object.keys(product).filter((name) => !Object.hasOwn(PvProductData_V2.fields, name));
  if (unknown.length > 0) {
    throw new RelctlError(
      'bad-answer',
      `the product has fields that relctl does not know (${unknown.join(', ')}), and a write would drop them; nothing was sent`,
      { facts: { code: 'unknown-field' } },
    );
  }
  // A nil field of the answer may be left out of the request: it means the same.
  const sent: Record<string, Value> = {};
  for (const [name, value] of Object.entries({ ...product, ...changes })) if (value !== null) sent[name] = value;
  return sent;
}

const read = operations.ProductGetAll_V2;

function missing(session: Session, text: string, codes: readonly string[]): RelctlError {
  const near = nearest(text, codes);
  return new RelctlError('not-found', `there is no product '${text}'`, {
    facts: { operation: read.name, profile: session.profile.name },
    ...perhaps(text, near, 'relctl product list'),
  });
}

/** The text of a value; empty for what is no text. */
export const asText = (value: Value | undefined): string => (typeof value === 'string' ? value : '');

/** All products in the result of ProductGetAll_V2. Throws `bad-answer`. */
export function productsIn(result: RecordValue): readonly RecordValue[] {
  // Where the list is left out, nobody can say that a product is not there.
  return wholeListIn({ operation: read, shows: 'Products' }, result, false).records;
}

/** A product in words: its code, or its Id, and its name. */
export const titleOf = ({ Code, Id, Name }: RecordValue): string => `${asText(Code ?? Id)} ${asText(Name)}`.trim();

const argument = { group: 'args', key: 'product' } as const;

/** Where a product is looked for. */
export interface ProductContext extends SessionContext<AskingFlags> {
  /** The flag or argument that names it; the argument where it is left out. */
  readonly place?: IdParameter;
}

/** A product that was meant. */
export interface ResolvedProduct {
  readonly product: RecordValue;
  /** What its name was found to mean, in words; undefined where it was given by its code or Id. */
  readonly byName?: string;
}

const lineWith =
  (text: string, { context, place: parameter = argument }: ProductContext) =>
  (value: string): string =>
    corrected(parameter, text, { value, argv: context.environment.argv });

function several(
  matches: readonly RecordValue[],
  text: string,
  { at, what }: { at: ProductContext; what: string },
): RelctlError {
  return usage(parameterName(at.place ?? argument), `several products have the ${what} '${text}'`, {
    advice: 'Use the Id of one of them.',
    hint: 'relctl product list',
  }).but({
    excerpt: candidateLines(
      matches.map((product) => ({ id: asText(product['Id']), about: titleOf(product) })).filter(({ id }) => isGuid(id)),
      lineWith(text, at),
    ),
  });
}

function productIn(result: RecordValue, text: string, at: ProductContext): ResolvedProduct {
  const products = productsIn(result);
  const id = pastedGuid(text);
  const isMatch = ({ Code, Id }: RecordValue): boolean =>
    asText(Code) === text || (id !== undefined && sameGuid(asText(Id), id));
  const byKey = products.filter(isMatch);
  const matches =
    byKey.length > 0 || text.trim() === '' ? byKey : products.filter(({ Name }) => isSameName(asText(Name), text));
  const [product, second] = matches;
  if (product === undefined) {
    const words = products.flatMap(({ Code, Name }) => [asText(Code), asText(Name)]).filter((word) => word !== '');
    throw missing(at.session, text, words);
  }
  if (second !== undefined) throw several(matches, text, { at, what: byKey.length > 0 ? 'code' : 'name' });
  if (byKey.length > 0) return { product };
  const flagName = parameterName(at.place ?? argument);
  return {
    product,
    byName: `${flagName}: '${text}' is the name of product ${asText(product['Code'] ?? product['Id'])}`,
  };
}

/** The same for a read, which reports what a name was resolved to. */
export async function resolveProduct(
  result: RecordValue,
  text: string,
  at: ProductContext & SessionContext<CommonFlags>,
): Promise<RecordValue> {
  const { product, byName } = productIn(result, text, at);
  if (byName !== undefined) await note(at.context, at.flags, byName);
  return product;
}

/** The same for a write. Throws `usage` as well for a name that nobody is asked about. */
export function writtenProductIn(result: RecordValue, text: string, at: ProductContext): ResolvedProduct {
  const resolved = productIn(result, text, at);
  if (resolved.byName !== undefined)
    refuseUnasked(resolved.byName, lineWith(text, at)(asText(resolved.product['Id'])), at);
  return resolved;
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
