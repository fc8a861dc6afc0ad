import type { ConnectionFlags, OutputFlags, CommonFlags } from '../../kit/flags/common.js';
import { printRecords, printUpTo } from '../../kit/output/open-output.js';
import { list, opt, recordWithoutPresence, req, inRole } from '../../contract/build.js';
import { dateTime, int, string } from '../../contract/scalars.js';
import { type Context, canAsk } from '../../kit/host/context.js';
import { tallyWords, type Sent } from '../../state/ledger/outcome.js';
import { type BatchFacts, type Ended, type LedgerEntry, forgetLedger } from '../../state/ledger/ledger.js';
import { inBatches, type RecordValue, type Value } from '../../core/values/value.js';
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
import { noteInTerminal } from '../../kit/host/notes.js';
import { confirm } from '../../kit/host/prompt.js';
import { ledgerFolder } from '../../lists/record/recorded.js';

/** A row of a batch, as `writes show --rows` prints it. */
export const BatchRow = recordWithoutPresence('LedgerRow', 'A row of a batch.', {
  Row: inRole('key', req(int, 'Number of the row, from 1, for `writes undo --row`.')),
  At: req(dateTime, 'Time of its last change of state.'),
  Record: inRole('name', opt(string, 'The written record, if relctl sent the row.')),
  Outcome: inRole('key', req(string, 'done, unchanged, refused, failed, conflict, unknown, not sent.')),
  Words: inRole('words', opt(string, 'Message of the service or of relctl.')),
  Number: opt(int, 'Result code of the service.'),
  Code: opt(string, 'Code of the answer or the failure.'),
  NewId: opt(string, 'Id of the added record.'),
  Changes: opt(list(ChangeRecord), 'Written values, with the former values if relctl read them.'),
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
const linesAtOnce = 1000;

function* rowRecords(journal: string): Generator<RecordValue, void> {
  for (const row of writtenRows(journal)) yield rowRecord(row);
}

async function showRows(
  context: Context,
  id: string,
  flags: OutputFlags & Pick<ConnectionFlags, 'profile'>,
): Promise<void> {
  const journal = journalOf(batchOf(writeNamed(context, id, flags), '--rows'));
  const batches = inBatches(rowRecords(journal), rowsAtOnce);
  await printUpTo(context, { flags, record: BatchRow, shape: 'list', table }, { batches, more: 'more rows exist' });
}

/** What `writes show` prints. */
export const WriteRecord = recordWithoutPresence('LedgerEntry', 'A write to the service.', {
  Id: req(string, 'Id of the entry.'),
  At: req(dateTime, 'When it began.'),
  EndedAt: opt(dateTime, 'When it ended.'),
  What: req(string, 'Description of the write.'),
  Outcome: req(string, 'Outcome.'),
  Words: opt(string, 'Message of the service or of relctl.'),
  Number: opt(int, 'Result code of the service.'),
  Code: opt(string, 'Code of the answer or the failure.'),
  NewId: opt(string, 'Id of the added record.'),
  Operation: req(string, 'Name of the operation.'),
  Url: req(string, 'Address of the service.'),
  User: req(string, 'User on this machine.'),
  Undoes: opt(string, 'Id of the entry that it undid.'),
  Rows: opt(int, 'Rows of a batch.'),
  Counts: opt(string, 'Rows of a batch by their outcome.'),
  Journal: opt(string, 'Journal of a batch: the outcome of each row.'),
  Results: opt(string, 'File of the results of a batch.'),
  Changes: opt(list(ChangeRecord), 'Written values, with the former values if relctl read them.'),
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
export const WriteLine = recordWithoutPresence('LedgerWrite', 'A write to the service.', {
  Id: inRole('key', req(string, 'Id of the entry, for `writes show` and `writes undo`.')),
  At: req(dateTime, 'When it began.'),
  What: inRole('words', req(string, 'Description of the write.')),
  Outcome: inRole('key', req(string, 'done, refused, failed, conflict, unknown; of a batch also partly.')),
  Rows: opt(int, 'Rows of a batch.'),
  Operation: req(string, 'Name of the operation.'),
  NewId: opt(string, 'Id of the added record.'),
  User: req(string, 'User on this machine.'),
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
  const batches = inBatches(writes.toReversed().map(lineOf), linesAtOnce);
  await printUpTo(context, request, { batches, more: 'more writes exist' });
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
    if (!canAsk(context, flags)) throw usage('--yes', 'relctl will not forget writes without confirmation', '--yes');
    const question = `Forget ${count} writes of profile '${name}'? You can then no longer show or undo them.`;
    if (!(await confirm(context, question))) throw usage(undefined, 'not confirmed; nothing was removed');
  }
  if (forgetLedger(ledgerFolder(context), name) === 0) {
    throw new RelctlError('not-found', `there is no ledger of profile '${name}'`, {
      facts: { profile: name },
      namesProfile: true,
    });
  }
  await noteInTerminal(context, flags, `${count} writes of profile '${name}' were forgotten`);
}
