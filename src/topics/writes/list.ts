import type { ConnectionFlags, OutputFlags, CommonFlags } from '../../kit/flags/common.js';
import { printUpTo } from '../../kit/output/open-output.js';
import { profileOf } from '../../kit/session/profile-store.js';
import { periodEnd } from '../../kit/session/times.js';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { dateTime, int, string } from '../../contract/scalars.js';
import { type Context, canAsk } from '../../kit/host/context.js';
import type { RecordValue } from '../../core/values/value.js';
import { outcomeOf, writesOf } from './open.js';
import { usage, RelctlError } from '../../core/errors/relctl-error.js';
import { note } from '../../kit/host/notes.js';
import { confirm } from '../../kit/host/prompt.js';
import { forgetLedger, type LedgerEntry } from '../../state/ledger/ledger.js';
import { ledgerFolder } from '../../lists/record/recorded.js';

/** What `writes list` prints. */
export const WriteLine = recordWithoutPresence('LedgerWrite', 'Something that was written to the service.', {
  Id: inRole('key', req(string, 'Id of the entry: what `writes show` and `writes undo` take.')),
  At: req(dateTime, 'When it was begun.'),
  What: inRole('words', req(string, 'What was done.')),
  Outcome: inRole('key', req(string, 'done, refused, failed, conflict, unknown; of a batch also partly.')),
  Rows: opt(int, 'Rows of a batch.'),
  Operation: req(string, 'Name of the operation.'),
  NewId: opt(string, 'Id of what was made.'),
  User: req(string, 'User of the machine.'),
  Undoes: opt(string, 'Id of the entry that it undid.'),
});

/** Flags that choose writes. */
export interface ChosenWrites extends Pick<ConnectionFlags, 'profile'> {
  readonly from?: string | undefined;
  readonly limit?: number | undefined;
}

const lineOf = (entry: LedgerEntry): RecordValue => {
  const { begun, ended } = entry;
  return {
    Id: begun.id,
    At: begun.at,
    What: begun.what,
    Outcome: outcomeOf(entry),
    Rows: begun.batch?.rows ?? null,
    Operation: begun.operation,
    NewId: ended?.id ?? null,
    User: begun.user,
    Undoes: begun.undoes ?? null,
  };
};

/** Milliseconds since 1970 of --from. Throws `usage`. */
async function fromMs(context: Context, flags: OutputFlags & ChosenWrites): Promise<number> {
  if (flags.from === undefined) return -Infinity;
  const session = { profile: profileOf(context, flags) };
  return Date.parse(
    await periodEnd({ context, session, flags }, { text: flags.from, flag: '--from', side: 'earlier' }),
  );
}

/** Prints the writes of a profile, the newest first. Throws `usage`, `local`. */
export async function listWrites(context: Context, flags: OutputFlags & ChosenWrites): Promise<void> {
  const from = await fromMs(context, flags);
  const table = ['Id', 'At', 'What', 'Outcome', 'Rows'];
  const writes = writesOf(context, flags).filter(({ begun }) => Date.parse(begun.at) >= from);
  const request = { flags, record: WriteLine, shape: 'list', table, limit: flags.limit } as const;
  const isCut = await printUpTo(context, request, writes.toReversed().map(lineOf));
  if (isCut) await note(context, flags, 'stopped at --limit: more writes exist');
}

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
