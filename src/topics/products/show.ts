import type { RecordValue, Value } from '../../plain/value.js';
import { PvProductData_V2 } from '../../contract/records/product.js';
import { operations } from '../../contract/service.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { isGuid } from '../../lexical/guid.js';
import { nearest } from '../../lexical/nearest.js';
import { wholeListIn } from '../../client/list-answer.js';
import type { Context } from '../../host/context.js';
import { printEnvelope } from '../../cli/dry-run.js';
import type { ConnectionFlags } from '../../cli/flags/connection.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { seenMembers } from '../../cli/output/seen-members.js';
import { notesOfPrinted, warnOfNotes } from '../../host/notes.js';
import { openOutput } from '../../cli/output/record-output.js';
import { openSession, type Session } from '../../cli/session.js';
import { usage } from '../../errors/usage.js';

const read = operations.ProductGetAll_V2;

function missing(session: Session, wanted: string, codes: readonly string[]): RelctlError {
  const near = nearest(wanted, codes);
  return new RelctlError('not-found', `there is no product '${wanted}'`, {
    facts: { operation: read.name, profile: session.profile.name },
    ...(near === undefined ? {} : { hint: `relctl product get ${near}` }),
  });
}

const textOf = (value: Value | undefined): string => (typeof value === 'string' ? value : '');

/** All products: the service has no way to ask for one. */
export async function readProducts(
  context: Context,
  session: Session,
  flags: { readonly quiet?: boolean | undefined },
): Promise<readonly RecordValue[]> {
  const reply = await session.client.callUntyped(read, {});
  await warnOfNotes(context, flags, notesOfPrinted(reply.notes, ['Products']));
  // Where the list is left out, nobody can say that a product is not there.
  return wholeListIn({ operation: read, shows: 'Products' }, reply.result, false).records;
}

/** The product with a code or an Id. Throws `not-found`, and `usage` when several have the code. */
export async function productOf(
  context: Context,
  session: Session,
  { wanted, flags }: { wanted: string; flags: { readonly quiet?: boolean | undefined } },
): Promise<RecordValue> {
  const products = await readProducts(context, session, flags);
  const isWanted = ({ Code, Id }: RecordValue): boolean =>
    textOf(Code) === wanted || (isGuid(wanted) && textOf(Id).toLowerCase() === wanted.toLowerCase());
  const [found, second] = products.filter(isWanted);
  if (found === undefined) {
    const codes = products.map(({ Code }) => textOf(Code)).filter((code) => code !== '');
    throw missing(session, wanted, codes);
  }
  if (second !== undefined) {
    throw usage('PRODUCT', `several products have the code '${wanted}'`, `relctl product get ${textOf(found['Id'])}`);
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
  if (flags['dry-run']) return printEnvelope(context, session.connection, { operation: read, input: {} });
  const seen = seenMembers(context, session, PvProductData_V2.name);
  const output = await openOutput(context, session, { flags, record: PvProductData_V2, shape: 'single', seen });
  await output.write([await productOf(context, session, { wanted, flags })]);
  await output.finish();
}
