import type { ConnectionFlags, OutputFlags } from '../../kit/flags/common.js';
import { printRecords, openOutput } from '../../kit/output/open-output.js';
import { list, opt, recordWithoutPresence, req, inRole } from '../../contract/build.js';
import { dateTime, int, string } from '../../contract/scalars.js';
import type { Context } from '../../kit/host/context.js';
import { tallyWords, type Sent } from '../../state/ledger/outcome.js';
import type { BatchFacts, Ended, LedgerEntry } from '../../state/ledger/ledger.js';
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
} from './open.js';
import { writtenRows, type WrittenRow } from '../../writes/batch/journal.js';

/** A row of a batch, as `writes show --rows` prints it. */
export const BatchRow = recordWithoutPresence('LedgerRow', 'A row of a batch.', {
  Row: inRole('key', req(int, 'Its number, from 1: what `writes undo --row` takes.')),
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
  const { begun } = entry;
  const ended: Partial<Ended> = entry.ended ?? {};
  const batch: Partial<BatchFacts> = begun.batch ?? {};
  const known: Readonly<Record<string, Value | undefined>> = {
    Id: begun.id,
    At: begun.at,
    EndedAt: ended.at,
    What: begun.what,
    Outcome: outcomeOf(entry),
    Words: ended.words,
    Number: ended.number,
    Code: ended.code,
    NewId: ended.id,
    Operation: begun.operation,
    Url: begun.service.url,
    User: begun.user,
    Undoes: begun.undoes,
    Rows: batch.rows,
    Counts: countsOf(ended),
    Journal: batch.journal,
    Results: batch.results,
    Changes: begun.sends && changesOf(begun.sends).map(changeRecord),
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
