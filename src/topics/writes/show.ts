import type { ConnectionFlags, OutputFlags, CommonFlags } from '../../kit/flags/common.js';
import { printRecords, openOutput, printUpTo } from '../../kit/output/open-output.js';
import { list, opt, recordWithoutPresence, req, inRole } from '../../contract/build.js';
import { dateTime, int, string } from '../../contract/scalars.js';
import { type Context, canAsk } from '../../kit/host/context.js';
import { tallyWords, type Sent } from '../../state/ledger/outcome.js';
import { type BatchFacts, type Ended, type LedgerEntry, forgetLedger } from '../../state/ledger/ledger.js';
import type { RecordValue, Value } from '../../core/values/value.js';
import {
  outcomeOf,
  writeNamed,
  ChangeRecord,
  changeRecord,
  changesOf,
  withNulls,
  recordSent,
  batchOf,
  journalOf,
  writesOf,
} from './open.js';
import { writtenRows, type WrittenRow } from '../../writes/batch/journal.js';
import { profileOf } from '../../kit/session/profile-store.js';
import { periodEnd } from '../../kit/session/times.js';
import { usage, RelctlError } from '../../core/errors/relctl-error.js';
import { note, noteInTerminal } from '../../kit/host/notes.js';
import { confirm } from '../../kit/host/prompt.js';
import { ledgerFolder } from '../../lists/record/recorded.js';

/** A row of a batch, as `writes show --rows` prints it. */
export const BatchRow = recordWithoutPresence('LedgerRow', 'A row of a batch.', {
  Row: inRole('key', req(int, 'Its number, from 1, for `writes undo --row`.')),
  At: req(dateTime, 'When something was last known of it.'),
  Record: inRole('name', opt(string, 'The record that was written to, where something was sent.')),
  Outcome: inRole('key', req(string, 'done, unchanged, refused, failed, conflict, unknown, not sent.')),
  Words: inRole('words', opt(string, 'What the service, or relctl, said of it.')),
  Number: opt(int, 'Number of the answer of the service.'),
  Code: opt(string, 'Code of the answer, or of the failure.'),
  NewId: opt(string, 'Id of what was made.'),
  Changes: opt(list(ChangeRecord), 'What was written; with the values before where they were read.'),
});

const table = ['Row', 'Record', 'Outcome', 'Words'] as const;

const isText = (value: Value | undefined): value is string => typeof value === 'string' && value !== '';

/** The record that something was sent for, in words: by its code and name, else by the first Id of the request. */
export function titleOf(sent: Sent): string | undefined {
  const { record } = recordSent(sent);
  const words = [record['Code'], record['Name']].filter(isText).join(' ');
  if (words !== '') return words;
  const ids = Object.keys(record).filter((name) => /id$/i.test(name));
  return ids.map((name) => record[name]).find(isText);
}

function rowRecord({ row, at, sent, ending = { outcome: 'unknown' } }: WrittenRow): RecordValue {
  const known: Readonly<Record<string, Value | undefined>> = {
    Row: row + 1,
    At: at,
    Record: sent && titleOf(sent),
    Outcome: ending.outcome,
    Words: ending.words,
    Number: ending.number,
    Code: ending.code,
    NewId: ending.id,
    Changes: sent && changesOf(sent).map(changeRecord),
  };
  return withNulls(known);
}

const rowsAtOnce = 500;

async function showRows(
  context: Context,
  id: string,
  flags: OutputFlags & Pick<ConnectionFlags, 'profile'>,
): Promise<void> {
  const journal = journalOf(batchOf(writeNamed(context, id, flags), '--rows'));
  const output = await openOutput(context, undefined, { flags, record: BatchRow, shape: 'list', table });
  let waiting: RecordValue[] = [];
  for (const row of writtenRows(journal)) {
    waiting.push(rowRecord(row));
    if (waiting.length < rowsAtOnce) continue;
    await output.write(waiting);
    waiting = [];
  }
  await output.write(waiting);
  await output.finish();
}

/** What `writes show` prints. */
export const WriteRecord = recordWithoutPresence('LedgerEntry', 'Something that was written to the service.', {
  Id: req(string, 'Id of the entry.'),
  At: req(dateTime, 'When it was begun.'),
  EndedAt: opt(dateTime, 'When its outcome was known.'),
  What: req(string, 'What was done.'),
  Outcome: req(string, 'How it ended.'),
  Words: opt(string, 'What the service, or relctl, said of it.'),
  Number: opt(int, 'Number of the answer of the service.'),
  Code: opt(string, 'Code of the answer, or of the failure.'),
  NewId: opt(string, 'Id of what was made.'),
  Operation: req(string, 'Name of the operation.'),
  Url: req(string, 'Address of the service.'),
  User: req(string, 'User of the machine.'),
  Undoes: opt(string, 'Id of the entry that it undid.'),
  Rows: opt(int, 'Rows of a batch.'),
  Counts: opt(string, 'Rows of a batch by their outcome.'),
  Journal: opt(string, 'File that says of each row of a batch what became of it.'),
  Results: opt(string, 'File of the results of a batch.'),
  Changes: opt(list(ChangeRecord), 'What was written; with the values before where they were read.'),
});

const countsOf = ({ tally }: Partial<Ended>): string | undefined => tally && tallyWords(tally);

function recordOf(entry: LedgerEntry): RecordValue {
  const { begun: start } = entry;
  const ended: Partial<Ended> = entry.ended ?? {};
  const batch: Partial<BatchFacts> = start.batch ?? {};
  const known: Readonly<Record<string, Value | undefined>> = {
    Id: start.id,
    At: start.at,
    EndedAt: ended.at,
    What: start.what,
    Outcome: outcomeOf(entry),
    Words: ended.words,
    Number: ended.number,
    Code: ended.code,
    NewId: ended.id,
    Operation: start.operation,
    Url: start.service.url,
    User: start.user,
    Undoes: start.undoes,
    Rows: batch.rows,
    Counts: countsOf(ended),
    Journal: batch.journal,
    Results: batch.results,
    Changes: start.sends && changesOf(start.sends).map(changeRecord),
  };
  return withNulls(known);
}

/** Prints a write with what it changed; with --rows, the rows of a batch. Throws `not-found`, `usage`, `local`. */
export async function showWrite(
  context: Context,
  id: string,
  flags: OutputFlags & Pick<ConnectionFlags, 'profile'> & { readonly rows: boolean },
): Promise<void> {
  if (flags.rows) return showRows(context, id, flags);
  const entry = writeNamed(context, id, flags);
  await printRecords(context, { flags, record: WriteRecord, shape: 'single' }, () => [recordOf(entry)]);
}

/** What `writes list` prints. */
export const WriteLine = recordWithoutPresence('LedgerWrite', 'Something that was written to the service.', {
  Id: inRole('key', req(string, 'Id of the entry, for `writes show` and `writes undo`.')),
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
  const { begun: start, ended } = entry;
  return {
    Id: start.id,
    At: start.at,
    What: start.what,
    Outcome: outcomeOf(entry),
    Rows: start.batch?.rows ?? null,
    Operation: start.operation,
    NewId: ended?.id ?? null,
    User: start.user,
    Undoes: start.undoes ?? null,
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
  const writes = writesOf(context, flags).filter(({ begun: start }) => Date.parse(start.at) >= from);
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
  await noteInTerminal(context, flags, `${count} writes of profile '${name}' were forgotten`);
}
