import type { Sent } from '../../batches/entry.js';
import { writtenRows, type WrittenRow } from '../../batches/written.js';
import type { ConnectionFlags } from '../../cli/flags/connection.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { openOutput } from '../../cli/output/open-output.js';
import { inRole, list, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { dateTime, int, string } from '../../contract/scalars.js';
import type { Context } from '../../host/context.js';
import type { RecordValue, Value } from '../../plain/value.js';
import { changeRecord, ChangeRecord, changesOf, recordSent, withNulls } from './changes.js';
import { batchOf, journalOf } from './journal.js';
import { writeNamed } from './open.js';

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

/** Columns of a table. */
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

function recordOf({ row, at, sent, ending = { outcome: 'unknown' } }: WrittenRow): RecordValue {
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

/** Rows are printed so many at a time. */
const rowsAtOnce = 500;

/** Prints the rows of a batch by its journal, in the order of its file. Throws `usage` for a single write, `not-found`, `local`. */
export async function showRows(
  context: Context,
  id: string,
  flags: OutputFlags & Pick<ConnectionFlags, 'profile'>,
): Promise<void> {
  const journal = journalOf(batchOf(writeNamed(context, id, flags), '--rows'));
  const output = await openOutput(context, undefined, { flags, record: BatchRow, shape: 'list', table });
  let waiting: RecordValue[] = [];
  for (const row of writtenRows(journal)) {
    waiting.push(recordOf(row));
    if (waiting.length < rowsAtOnce) continue;
    await output.write(waiting);
    waiting = [];
  }
  await output.write(waiting);
  await output.finish();
}
