import type { RecordValue } from '../../core/values/value.js';
import { recordIdIn, writeFactsOf } from '../../contract/writes.js';
import { RelctlError, type Remedy } from '../../core/errors/relctl-error.js';
import { shellCommand } from '../../core/text/text.js';
import type { Context } from '../../kit/host/context.js';
import type { LedgerFacts, Write } from './recorded.js';

/** What to try when it is not known whether a write was done. */
export function verificationOf({
  operation,
  input,
}: {
  readonly operation: Pick<Write['operation'], 'name'>;
  readonly input: RecordValue;
}): Remedy {
  const facts = writeFactsOf(operation.name);
  const id = facts && recordIdIn(input, facts);
  if (facts === undefined || id === undefined)
    return { advice: 'Check what the call changes before you repeat it: the service may have carried it out.' };
  const { record, adds, verification } = facts;
  if ('read' in verification) return { hint: shellCommand([...verification.read, id]) };
  const what = adds === undefined ? '' : `the ${adds} of `;
  return {
    advice: `Check ${what}${record} ${id} in the CRM before you repeat the command: ${verification.unread}.`,
  };
}

/**
 * Does the work of a write: when a signal interrupts it, its outcome is unknown, and the hint of the error says how to find
 * out. A call that reads is only made. The ledger is told before and after, where `ledger` says what. Throws `outcome-unknown`,
 * `local` when the ledger cannot be written, and what the work throws.
 */
export async function writing<T>(
  { context, ledger }: { readonly context: Context; readonly ledger?: LedgerFacts<T> },
  write: Write,
  work: () => Promise<T>,
): Promise<T> {
  if (write.operation.access === 'read') return work();
  const guarded = (): Promise<T> => settling(context, write, work);
  if (ledger === undefined) return guarded();
  // What keeps the ledger is loaded for writes alone.
  const { recorded } = await import('./recorded.js');
  return recorded({ context, told: ledger, write }, guarded);
}

async function settling<T>(context: Context, write: Write, work: () => Promise<T>): Promise<T> {
  try {
    return await context.guardWrite(work);
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    throw error.kind === 'outcome-unknown'
      ? error.but({ advice: undefined, hint: undefined, ...verificationOf(write) })
      : error;
  }
}
