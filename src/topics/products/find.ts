import { wholeListIn } from '../../client/list-answer.js';
import type { CommonFlags } from '../../cli/flags/output.js';
import type { Session } from '../../cli/session.js';
import { operations } from '../../contract/service.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { notesOfPrinted, warnOfNotes } from '../../host/notes.js';
import { perhaps, usage } from '../../errors/usage.js';
import { pastedGuid, sameGuid } from '../../lexical/guid.js';
import { nearest } from '../../lexical/nearest.js';
import type { RecordValue, Value } from '../../plain/value.js';

const read = operations.ProductGetAll_V2;

function missing(session: Session, wanted: string, codes: readonly string[]): RelctlError {
  const near = nearest(wanted, codes);
  return new RelctlError('not-found', `there is no product '${wanted}'`, {
    facts: { operation: read.name, profile: session.profile.name },
    hint: 'relctl product list',
    ...perhaps(wanted, near),
  });
}

/** Where products are read. */
interface ReadingParts {
  readonly context: Context;
  readonly session: Session;
  readonly flags: CommonFlags;
}

/** The text of a value; empty for what is no text. */
export const textOf = (value: Value | undefined): string => (typeof value === 'string' ? value : '');

/** All products in the result of ProductGetAll_V2. Throws `bad-answer`. */
export function productsIn(result: RecordValue): readonly RecordValue[] {
  // Where the list is left out, nobody can say that a product is not there.
  return wholeListIn({ operation: read, shows: 'Products' }, result, false).records;
}

/** The product with a code or an Id. Throws `not-found`, `usage` when several have the code, and `bad-answer`. */
export function productIn(result: RecordValue, wanted: string, session: Session): RecordValue {
  const products = productsIn(result);
  const id = pastedGuid(wanted);
  const isWanted = ({ Code, Id }: RecordValue): boolean =>
    textOf(Code) === wanted || (id !== undefined && sameGuid(textOf(Id), id));
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

/** A product in words: its code, or its Id, and its name. */
export const titleOf = ({ Code, Id, Name }: RecordValue): string => `${textOf(Code ?? Id)} ${textOf(Name)}`.trim();

/** The answer with all products: the service has no way to ask for one. Throws what the call throws. */
export async function readProducts({ context, session, flags }: ReadingParts): Promise<RecordValue> {
  const reply = await session.client.callUntyped(read, {});
  await warnOfNotes(context, flags, notesOfPrinted(reply.notes, ['Products']));
  return reply.result;
}
