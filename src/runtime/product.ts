import { PvProductData_V2 } from '../contract/records/product.js';
import { operations } from '../contract/service.js';
import { RelctlError } from '../errors/relctl-error.js';
import { isGuid } from '../lexical/guid.js';
import { nearest } from '../lexical/nearest.js';
import { isRecord, type RecordValue, type Value } from '../soap/values.js';
import { escapeForTerminal } from '../output/escape.js';
import type { Context } from './context.js';
import { printEnvelope } from './dry-run.js';
import type { ConnectionFlags } from './flags/connection.js';
import type { OutputFlags } from './flags/output.js';
import { productChanges } from './flags/product.js';
import { note, warnOfNotes } from './notes.js';
import { formatOf } from './output-choice.js';
import { openOutput } from './record-output.js';
import { runCall, type CallFlags } from './run-call.js';
import { openSession, type Session } from './session.js';

const read = operations.ProductGetAll_V2;

function missing(session: Session, wanted: string, codes: readonly string[]): RelctlError {
  const near = nearest(wanted, codes);
  return new RelctlError('not-found', `there is no product '${wanted}'`, {
    facts: { operation: read.name, profile: session.profile.name },
    ...(near === undefined ? {} : { hint: `relctl product get ${near}` }),
  });
}

const textOf = (value: Value | undefined): string => (typeof value === 'string' ? value : '');

/** The product with a code or an Id. Throws `not-found`, and `usage` when several have the code. */
async function productOf(
  context: Context,
  session: Session,
  { wanted, flags }: { wanted: string; flags: { readonly quiet?: boolean | undefined } },
): Promise<RecordValue> {
  const reply = await session.client.callUntyped(read, {});
  await warnOfNotes(context, flags, reply.notes);
  const list = reply.result['Products'];
  const products = Array.isArray(list) ? list.filter(isRecord) : [];
  const isWanted = ({ Code, Id }: RecordValue): boolean =>
    textOf(Code) === wanted || (isGuid(wanted) && textOf(Id).toLowerCase() === wanted.toLowerCase());
  const [found, second] = products.filter(isWanted);
  if (found === undefined) {
    const codes = products.map(({ Code }) => textOf(Code)).filter((code) => code !== '');
    throw missing(session, wanted, codes);
  }
  if (second !== undefined) {
    throw new RelctlError('usage', `several products have the code '${wanted}'`, {
      facts: { path: 'PRODUCT' },
      hint: `relctl product get ${textOf(found['Id'])}`,
    });
  }
  return found;
}

/** Shows one product (interface document, Endpoints, Products). Throws `not-found`. */
export async function showProduct(
  context: Context,
  wanted: string,
  flags: ConnectionFlags & OutputFlags,
): Promise<void> {
  const session = await openSession(context, flags);
  if (flags['dry-run'] === true) return printEnvelope(context, session.connection, { operation: read, input: {} });
  const output = await openOutput(context, session, { flags, record: PvProductData_V2, shape: 'single' });
  await output.write([await productOf(context, session, { wanted, flags })]);
  await output.finish();
}

const shown = (value: Value | undefined): string =>
  value === undefined || value === null ? '(none)' : JSON.stringify(value);

/** Fields whose text changes; a price of 12.5 and one of 12.50 are different texts. */
function difference(old: RecordValue, changes: RecordValue): readonly string[] {
  return Object.entries(changes)
    .filter(([name, value]) => old[name] !== value)
    .map(([name, value]) => `${name}: ${shown(old[name])} -> ${shown(value)}`);
}

const titleOf = ({ Code, Id, Name }: RecordValue): string => `${textOf(Code ?? Id)} ${textOf(Name)}`.trim();

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
  // A field that may be left out and came as nil has no value; left out, it says the same.
  return Object.fromEntries(Object.entries({ ...product, ...changes }).filter(([, value]) => value !== null));
}

async function tell(context: Context, flags: CallFlags, lines: readonly string[]): Promise<void> {
  const isWanted = flags.quiet !== true && context.errorShape === 'text';
  const text = lines.map((line) => `${escapeForTerminal(line)}\n`).join('');
  if (isWanted && (flags.yes !== true || context.streams.err.isTerminal)) await context.streams.err.write(text);
}

/**
 * Changes what is named of a product and sends the whole of it back (interface document, Endpoints, ProductUpdate_V2).
 * Sends nothing when nothing would change. Throws `usage`, `not-found` and what the calls throw.
 */
export async function updateProduct(
  context: Context,
  wanted: string,
  flags: CallFlags & Readonly<Record<string, unknown>>,
): Promise<void> {
  const changes = productChanges(flags);
  if (Object.keys(changes).length === 0) {
    throw new RelctlError('usage', 'nothing to change was given', { hint: 'relctl product update --help' });
  }
  formatOf(flags, undefined);
  const session = await openSession(context, flags);
  const product = await productOf(context, session, { wanted, flags });
  const title = titleOf(product);
  const lines = difference(product, changes);
  if (lines.length === 0) return note(context, flags, `nothing changes of product ${title}`);
  const productData = whole(product, changes);
  await tell(context, flags, [`Product ${title}`, ...lines.map((line) => `  ${line}`)]);
  await runCall(
    { context, session, flags },
    {
      operation: operations.ProductUpdate_V2,
      input: { productData },
      what: `change product ${title}`,
      needsYes: `${lines.length} ${lines.length === 1 ? 'field changes' : 'fields change'}`,
    },
  );
}
