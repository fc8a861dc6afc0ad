import { usage } from '../../errors/usage.js';
import type { ConnectionFlags } from '../../cli/flags/connection.js';
import type { CommonFlags } from '../../cli/flags/output.js';
import { profileOf } from '../../cli/session/profile-store.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { canAsk } from '../../host/may-ask.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import { confirm } from '../../host/prompt.js';
import { forgetLedger } from '../../ledger/ledger.js';
import { ledgerFolder } from '../../records/recorded.js';
import { writesOf } from './open.js';

type Flags = Pick<ConnectionFlags, 'profile'> & CommonFlags & { readonly yes: boolean };

/**
 * Removes the ledger of a profile: what was written can then be neither shown nor undone. Journals of batches stand beside
 * their results, and stay. Throws `usage` when it is not meant, `not-found`, `local`.
 */
export async function forgetWrites(context: Context, flags: Flags): Promise<void> {
  const { name } = profileOf(context, flags);
  const count = writesOf(context, flags).length;
  if (!flags.yes) {
    if (!canAsk(context, flags)) throw usage('--yes', 'will not forget writes without a yes', '--yes');
    const question = `Forget ${count} writes of profile '${name}'? They can then be neither shown nor undone.`;
    if (!(await confirm(context, question))) throw usage(undefined, 'not confirmed; nothing was removed');
  }
  if (forgetLedger(ledgerFolder(context), name) === 0) {
    throw new RelctlError('not-found', `there is no ledger of profile '${name}'`, { facts: { profile: name } });
  }
  if (context.streams.err.isTerminal) await note(context, flags, `${count} writes of profile '${name}' were forgotten`);
}
