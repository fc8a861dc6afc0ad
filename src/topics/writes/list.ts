import type { ConnectionFlags, OutputFlags, CommonFlags } from '../../kit/flags/common.js';
import { printRecords } from '../../kit/output/open-output.js';
import { profileOf } from '../../kit/session/profile-store.js';
import { momentFor } from '../../kit/session/times.js';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { dateTime, int, string } from '../../contract/scalars.js';
import { outcomes } from '../../state/ledger/outcome.js';
import type { Context } from '../../kit/host/context.js';
import type { LedgerEntry } from '../../state/ledger/entry.js';
import type { RecordValue } from '../../core/values/value.js';
import { outcomeOf, writesOf } from './open.js';
import { usage, RelctlError } from '../../core/errors/relctl-error.js';
import { canAsk } from '../../kit/host/may-ask.js';
import { note } from '../../kit/host/notes.js';
import { confirm } from '../../kit/host/prompt.js';
import { forgetLedger } from '../../state/ledger/ledger.js';
import { ledgerFolder } from '../../lists/record/recorded.js';

/** How an entry may have ended: `partly`, a batch whose rows ended differently. */
export const writeOutcomes = [...outcomes, 'partly'] as const;

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
export interface ChosenWrites {
  readonly since?: string | undefined;
  readonly outcome?: string | undefined;
  readonly operation?: string | undefined;
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

type ProfileFlags = Pick<ConnectionFlags, 'profile'>;

/** Milliseconds since 1970 of --since. Throws `usage`. */
function sinceMs(context: Context, flags: ChosenWrites & ProfileFlags): number {
  if (flags.since === undefined) return -Infinity;
  return Date.parse(momentFor(context, profileOf(context, flags), { text: flags.since, flag: '--since' }).text);
}

/** Prints the writes of a profile, the newest first. Throws `usage`, `local`. */
export async function listWrites(context: Context, flags: OutputFlags & ProfileFlags & ChosenWrites): Promise<void> {
  const since = sinceMs(context, flags);
  const { outcome, operation, limit = Infinity } = flags;
  const isChosen = (entry: LedgerEntry): boolean =>
    Date.parse(entry.begun.at) >= since &&
    (outcome === undefined || outcomeOf(entry) === outcome) &&
    (operation === undefined || entry.begun.operation.toLowerCase() === operation.toLowerCase());
  const table = ['Id', 'At', 'What', 'Outcome', 'Rows'];
  await printRecords(context, { flags, record: WriteLine, shape: 'list', table }, () =>
    writesOf(context, flags).filter(isChosen).toReversed().slice(0, limit).map(lineOf),
  );
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
