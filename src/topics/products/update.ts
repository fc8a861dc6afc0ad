import { isWatched } from '../../formats/streams.js';
import { type RecordValue, defined, movedWords, valueForMessage } from '../../core/values/value.js';
import type { Values } from '../../kit/flags/define.js';
import type { CommonFlags, writeCallFlags } from '../../kit/flags/common.js';

import type { Input } from '../../contract/infer.js';
import { operations } from '../../contract/service.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { sameGuid } from '../../core/text/scalars.js';
import { shellCommand } from '../../core/text/text.js';
import { escapeForTerminal } from '../../formats/escape.js';
import { productChanges } from './product-flags.js';
import { note } from '../../kit/host/notes.js';
import {
  changeByOthers,
  changesBetween,
  productsIn,
  readProducts,
  seenProduct,
  asText,
  titleOf,
  productToSend,
  writtenProductIn,
} from './find.js';
import type { WritePlan } from '../../lists/record/call.js';
import type { SessionContext } from '../../kit/session/session.js';
import { verificationOf } from '../../lists/record/writing.js';

const operation = operations.ProductUpdate_V2;
interface Parts extends SessionContext<Values<typeof writeCallFlags> & CommonFlags> {
  readonly args: { readonly product: string };
}

async function reportLines({ context, flags }: Parts, lines: readonly string[]): Promise<void> {
  const isPrinted = !flags.quiet && !flags['dry-run'] && context.errorShape === 'text';
  const text = lines.map((line) => `${escapeForTerminal(line)}\n`).join('');
  if (isPrinted && (!flags.yes || isWatched(context.streams.err))) await context.streams.err.write(text);
}

async function readAgain(parts: Parts, product: RecordValue): Promise<RecordValue | undefined> {
  const id = asText(product['Id']);
  return productsIn(await readProducts(parts)).find(({ Id }) => sameGuid(asText(Id), id));
}

async function unchanged(parts: Parts, product: RecordValue): Promise<RecordValue> {
  const { context, session } = parts;
  const now = await readAgain(parts, product);
  const words = changeByOthers(product, now);
  if (now !== undefined && words === undefined) return now;
  throw new RelctlError('conflict', `${words ?? ''}; nothing was sent`, {
    facts: { operation: operation.name, profile: session.profile.name },
    hint: shellCommand(context.environment.argv),
  });
}

/** Reads the product back. Throws `outcome-unknown` when it is not what was sent; that it cannot be read is a note. */
async function verify(parts: Parts, sent: RecordValue): Promise<void> {
  const { context, session, flags } = parts;
  let now: RecordValue | undefined;
  try {
    now = await readAgain(parts, sent);
  } catch (thrown) {
    const { message } = RelctlError.from(thrown);
    return note(context, flags, `relctl wrote the product, but could not read it back: ${message}`);
  }
  const seen = seenProduct(sent, undefined, now);
  if (seen.is !== 'other') return;
  throw new RelctlError('outcome-unknown', `the service accepted it, and ${seen.words}`, {
    facts: { operation: operation.name, profile: session.profile.name, code: 'read-back' },
    ...verificationOf({ operation, input: { productData: sent } }),
  });
}

interface Undo {
  readonly after?: RecordValue;
  readonly undoes?: string;
}

function checkRestored({ session }: Parts, product: RecordValue, { after = {}, undoes = '' }: Undo): void {
  const changes = changesBetween(Object.keys(after), after, product);
  if (changes.length === 0) return;
  const words = movedWords(changes, 'was left as');
  throw new RelctlError('conflict', `product ${titleOf(product)} was changed since; nothing was sent: ${words}`, {
    facts: { operation: operation.name, profile: session.profile.name },
    hint: shellCommand(['writes', 'show', undoes]),
  });
}

/** The fields to change, by the flags. Throws `usage` when there are none. */
export function changesOfFlags({ flags }: { readonly flags: Readonly<Record<string, unknown>> }): RecordValue {
  const changes = productChanges(flags);
  if (Object.keys(changes).length > 0) return changes;
  throw usage(undefined, 'there is nothing to change', 'relctl product update --help');
}

/**
 * Reads a product, shows what will change, and plans to send the whole of it back (interface document, Endpoints,
 * ProductUpdate_V2). After a question it is read again, and must be as it was; after the write it is read back. Undefined
 * when nothing would change. Throws `not-found`, `usage` when several products have the code, `bad-answer` and what the
 * call throws; the plan throws `conflict`, and `outcome-unknown` when the product is not what was sent.
 */
export async function planProductUpdate(
  parts: Parts,
  changes: RecordValue,
  undo: Undo = {},
): Promise<WritePlan<typeof operation> | undefined> {
  const { context, flags, args } = parts;
  const { product, byName } = writtenProductIn(await readProducts(parts), args.product, parts);
  const title = titleOf(product);
  checkRestored(parts, product, undo);
  const changing = changesBetween(Object.keys(changes), product, changes);
  if (changing.length === 0) {
    // A dry run prints that as its answer.
    if (!flags['dry-run']) await note(context, flags, `nothing changes in product ${title}`);
    return undefined;
  }
  let productData = productToSend(product, changes);
  const lines = changing.map(({ name, from, to }) => `  ${name}: ${valueForMessage(from)} -> ${valueForMessage(to)}`);
  await reportLines(parts, [...(byName === undefined ? [] : [byName]), `Product ${title}`, ...lines]);
  return {
    what: `change product ${title}`,
    changes: changing,
    needsYes: `${lines.length} ${lines.length === 1 ? 'field changes' : 'fields change'}`,
    input: { productData } as Input<typeof operation>,
    again: async () => {
      productData = productToSend(await unchanged(parts, product), changes);
      return { productData };
    },
    ledger: { before: product, verify: () => verify(parts, productData), ...defined({ undoes: undo.undoes }) },
  };
}

const loadRows = async () => (await import('./rows.js')).productRows;

/** How `writes undo` restores a product, and the rows of a batch of products. */
export const productUndo = {
  operation,
  /** Plans to write the former values, if the product is as the write that is undone left it. Throws `conflict`, and see above. */
  plan: (
    sessionContext: Omit<Parts, 'args'>,
    { record, changes, ...undo }: Undo & { readonly record: string; readonly changes: RecordValue },
  ): ReturnType<typeof planProductUpdate> =>
    planProductUpdate({ ...sessionContext, args: { product: record } }, changes, undo),
  rows: loadRows,
};
