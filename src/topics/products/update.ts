import type { RecordValue, Value } from '../../plain/value.js';
import type { Values } from '../../cli/flags/define.js';
import type { CommonFlags } from '../../cli/flags/output.js';
import type { writeCallFlags } from '../../cli/flags/shared.js';
import type { Input } from '../../contract/infer.js';
import type { RecordType } from '../../contract/build.js';
import { PvProductData_V2 } from '../../contract/records/product.js';
import { operations } from '../../contract/service.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { compareDecimals, isDecimal } from '../../lexical/decimal.js';
import { sameGuid } from '../../lexical/guid.js';
import { shellCommand } from '../../lexical/shell.js';
import { escapeForTerminal } from '../../output/escape.js';
import type { Context } from '../../host/context.js';
import { productChanges } from '../../cli/flags/values/product.js';
import { note } from '../../host/notes.js';
import { productIn, productsIn, readProducts, textOf, titleOf } from './find.js';
import type { WritePlan } from '../../records/command.js';
import type { Session } from '../../cli/session.js';
import { wayToSettle } from '../../records/writing.js';
import { usage } from '../../errors/usage.js';

const operation = operations.ProductUpdate_V2;
const record: RecordType = PvProductData_V2;

const shown = (value: Value | undefined): string =>
  value === undefined || value === null ? '(none)' : JSON.stringify(value);

function isSameText(name: string, left: string, right: string): boolean {
  const type = record.fields[name]?.type;
  if (type?.kind !== 'scalar') return left === right;
  if (type.name === 'guid') return sameGuid(left, right);
  const isNumber = type.name === 'decimal' && isDecimal(left) && isDecimal(right);
  return isNumber ? compareDecimals(left, right) === 0 : left === right;
}

/** True for two equal values of a field: 12.5 equals 12.50, and nil equals absent. */
function isSame(name: string, left: Value | undefined, right: Value | undefined): boolean {
  if (typeof left === 'string' && typeof right === 'string') return isSameText(name, left, right);
  return JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
}

interface Change {
  readonly name: string;
  readonly from: Value | undefined;
  readonly to: Value | undefined;
}

/** The fields among these names whose value differs. */
function changesBetween(names: readonly string[], from: RecordValue, to: RecordValue): readonly Change[] {
  return names
    .filter((name) => !isSame(name, from[name], to[name]))
    .map((name) => ({ name, from: from[name], to: to[name] }));
}

const namesOf = (...records: readonly RecordValue[]): readonly string[] => [
  ...new Set(records.flatMap((each) => Object.keys(each))),
];

/** The product as it is sent back. Throws `bad-answer` when it has fields that would get lost on the way. */
function whole(product: RecordValue, changes: RecordValue): RecordValue {
  const unknown = Object.keys(product).filter((name) => !Object.hasOwn(PvProductData_V2.fields, name));
  if (unknown.length > 0) {
    throw new RelctlError(
      'bad-answer',
      `the product has fields that relctl does not know (${unknown.join(', ')}): writing it back would drop them; nothing was sent`,
      { facts: { code: 'unknown-field' } },
    );
  }
  // A nil field of the answer may be left out of the request: it means the same.
  return Object.fromEntries(Object.entries({ ...product, ...changes }).filter(([, value]) => value !== null));
}

/** Where an update runs. */
interface Parts {
  readonly args: { readonly product: string };
  readonly flags: Values<typeof writeCallFlags> & CommonFlags;
  readonly context: Context;
  readonly session: Session;
}

async function tell({ context, flags }: Parts, lines: readonly string[]): Promise<void> {
  const isWanted = !flags.quiet && context.errorShape === 'text';
  const text = lines.map((line) => `${escapeForTerminal(line)}\n`).join('');
  if (isWanted && (!flags.yes || context.streams.err.isTerminal)) await context.streams.err.write(text);
}

/** The product as it is now; undefined when it was removed. Throws what the call throws. */
async function readAgain(parts: Parts, product: RecordValue): Promise<RecordValue | undefined> {
  const id = textOf(product['Id']);
  return productsIn(await readProducts(parts)).find(({ Id }) => sameGuid(textOf(Id), id));
}

/** Reads the product again after the question. Throws `conflict` when it has changed, and what the call throws. */
async function unchanged(parts: Parts, product: RecordValue): Promise<RecordValue> {
  const { context, session } = parts;
  const now = await readAgain(parts, product);
  const changes = now === undefined ? [] : changesBetween(namesOf(product, now), product, now);
  if (now !== undefined && changes.length === 0) return now;
  const words = changes.map(({ name, from, to }) => `${name} was ${shown(from)}, is ${shown(to)}`).join('; ');
  const what = now === undefined ? 'removed' : 'changed';
  const difference = words === '' ? '' : `: ${words}`;
  const { argv } = context.environment;
  throw new RelctlError(
    'conflict',
    `product ${titleOf(product)} was ${what} by somebody else while you were asked; nothing was sent${difference}`,
    {
      facts: { operation: operation.name, profile: session.profile.name },
      hint: shellCommand(argv),
    },
  );
}

/** Reads the product back. Throws `outcome-unknown` when it is not what was sent; that it cannot be read is a note. */
async function verify(parts: Parts, sent: RecordValue): Promise<void> {
  const { context, session, flags } = parts;
  let now: RecordValue | undefined;
  try {
    now = await readAgain(parts, sent);
  } catch (thrown) {
    const { message } = RelctlError.from(thrown);
    return note(context, flags, `the product was written, but could not be read back: ${message}`);
  }
  const changes = changesBetween(namesOf(sent, now ?? {}), sent, now ?? {});
  if (now !== undefined && changes.length === 0) return;
  const words = changes.map(({ name, from, to }) => `${name} was sent as ${shown(from)}, is ${shown(to)}`).join('; ');
  const what = now === undefined ? 'it is not there any more' : words;
  throw new RelctlError('outcome-unknown', `product ${titleOf(sent)} was written, and is not what was sent: ${what}`, {
    facts: { operation: operation.name, profile: session.profile.name, code: 'read-back' },
    ...wayToSettle({ operation, input: { productData: sent } }),
  });
}

/** The fields to change, by the flags. Throws `usage` when there are none. */
export function givenChanges({ flags }: { readonly flags: Readonly<Record<string, unknown>> }): RecordValue {
  const changes = productChanges(flags);
  if (Object.keys(changes).length > 0) return changes;
  throw usage(undefined, 'nothing to change was given', 'relctl product update --help');
}

/**
 * Reads a product, shows what will change, and plans to send the whole of it back (interface document, Endpoints,
 * ProductUpdate_V2). After a question it is read again, and must be as it was; after the write it is read back. Undefined
 * when nothing would change. Throws `not-found`, `usage` when several products have the code, `bad-answer` and what the
 * call throws; the plan throws `conflict`, and `outcome-unknown` when something else is there than was sent.
 */
export async function planProductUpdate(
  parts: Parts,
  changes: RecordValue,
): Promise<WritePlan<typeof operation> | undefined> {
  const { context, session, flags, args } = parts;
  const product = productIn(await readProducts(parts), args.product, session);
  const title = titleOf(product);
  const changing = changesBetween(Object.keys(changes), product, changes);
  if (changing.length === 0) {
    await note(context, flags, `nothing changes of product ${title}`);
    return undefined;
  }
  let productData = whole(product, changes);
  const lines = changing.map(({ name, from, to }) => `  ${name}: ${shown(from)} -> ${shown(to)}`);
  await tell(parts, [`Product ${title}`, ...lines]);
  return {
    what: `change product ${title}`,
    needsYes: `${lines.length} ${lines.length === 1 ? 'field changes' : 'fields change'}`,
    input: { productData } as Input<typeof operation>,
    again: async () => {
      productData = whole(await unchanged(parts, product), changes);
      return { productData };
    },
    done: () => verify(parts, productData),
  };
}
