import type { Entry, Sent, Ending } from '../state/ledger/outcome.js';
import { continueJournal, entriesOf, type KeptJournal } from './batch/journal.js';
import type { RowStates } from './batch/row-states.js';
import type { Looking, Seen } from './rows/rows-text.js';
import type { Listed, Lister } from './lister.js';
import { defined, type RecordValue } from '../core/values/value.js';
import type { PlannedRow } from './rows/planned-rows.js';

/** How an unknown row ended, by what is there now. */
function settled(seen: Seen): Ending {
  switch (seen.is) {
    case 'as-sent':
      return { outcome: 'done', code: 'settled', words: 'no answer came; it was read back as it was sent' };
    case 'as-before':
      return { outcome: 'failed', code: 'settled', words: 'no answer came; it was read back as it was before' };
    case 'other':
      return { outcome: 'conflict', code: 'settled', words: `no answer came, and ${seen.words}` };
    case 'unclear':
      return { outcome: 'unknown', code: 'settled', words: `no answer came, and ${seen.words}` };
  }
}

/** What was sent last for each row of a journal that is unknown. */
function unknownRows(file: string, states: RowStates): ReadonlyMap<number, Sent> {
  const sent = new Map<number, Sent>();
  for (const { entry } of entriesOf(file))
    if ('sends' in entry && states.of(entry.row) === 'unknown') sent.set(entry.row, entry.sends);
  return sent;
}

/** How the records of rows are found, where their entries do not say it. Throws what reading the rows throws. */
async function searches<S>(
  { looking, rows }: Settling<S>,
  unknown: ReadonlyMap<number, Sent>,
): Promise<ReadonlyMap<number, RecordValue>> {
  const found = new Map<number, RecordValue>();
  const isSaid = [...unknown.values()].every(({ foundBy }) => foundBy !== undefined);
  if (isSaid || looking.readMs !== undefined) return found;
  for await (const { row, plan } of rows)
    if (plan?.foundBy !== undefined && unknown.has(row)) found.set(row, plan.foundBy);
  return found;
}

/** How unknown rows are looked at. */
interface Settling<S> {
  readonly looking: Looking<S>;
  readonly shared: S;
  /** How the rows stand by the journal. */
  readonly states: RowStates;
  /** The rows, read anew: how a record is found may be said now that was not when the row was sent. */
  readonly rows: AsyncIterable<Pick<PlannedRow, 'row' | 'plan'>>;
  readonly date: () => string;
  readonly signal: AbortSignal;
  /** Gives what is called for each row that was looked at, by how many there are. */
  readonly onRow: (count: number) => () => void;
}

/** How many rows were unknown, and how many of them still are. */
export interface Settled {
  readonly looked: number;
  readonly unclear: number;
}

/**
 * Finds out what became of the unknown rows of an earlier run, by reading their records now, and tells the journal of each as
 * soon as it is known. Throws what calls and the journal throw, and the reason of the signal.
 */
export async function settleRows<S>(kept: KeptJournal, settling: Settling<S>): Promise<Settled> {
  const { looking, shared, states, date, signal, onRow } = settling;
  const rows = unknownRows(kept.file, states);
  const found = await searches(settling, rows);
  if (rows.size > 0) await looking.refresh(shared);
  const looked = onRow(rows.size);
  let unclear = 0;
  const journal = continueJournal(kept, states);
  try {
    for (const [row, sent] of rows) {
      signal.throwIfAborted();
      const seen = await looking.at({ ...defined({ foundBy: found.get(row) }), ...sent }, shared);
      if (seen === undefined || seen.is === 'unclear') unclear += 1;
      if (seen !== undefined) journal.append({ row, at: date(), ...defined({ key: sent.key }), ends: settled(seen) });
      looked();
    }
  } finally {
    await journal.close();
  }
  return { looked: rows.size, unclear };
}

/** Rows that were sent to one record from its first unknown row on, and are done or unknown. */
interface SentRows {
  /** The last that was sent for each, by its number. */
  readonly rows: Map<number, Extract<Entry, { sends: Sent }>>;
  /** Numbers of those that are done. */
  readonly done: Set<number>;
  /** Hashes of the records that were beside it just before the first of them; undefined where they were not read. */
  readonly before: readonly string[] | undefined;
}

/** The rows that may have added to records of unknown rows, by the keys of those records. Throws `local`. */
function sentToRecords(file: string, states: RowStates): ReadonlyMap<string, SentRows> {
  const found = new Map<string, SentRows>();
  for (const { entry } of entriesOf(file)) {
    if (!('sends' in entry)) continue;
    const { key = '', listed } = entry.sends;
    const outcome = states.of(entry.row);
    const isFirst = outcome === 'unknown' && !found.has(key);
    const sent = isFirst ? { rows: new Map(), done: new Set<number>(), before: listed } : found.get(key);
    if (sent === undefined) continue;
    found.set(key, sent);
    if (outcome === 'done') sent.done.add(entry.row);
    if (outcome === 'done' || outcome === 'unknown') sent.rows.set(entry.row, entry);
  }
  return found;
}

/** The records that are new since, and how many are not there any more. */
function differenceOf(before: readonly string[], now: readonly Listed[]): { added: readonly Listed[]; gone: number } {
  const left = new Map<string, number>();
  for (const each of before) left.set(each, (left.get(each) ?? 0) + 1);
  const added = now.filter(({ hash }) => {
    const count = left.get(hash) ?? 0;
    if (count > 0) left.set(hash, count - 1);
    return count === 0;
  });
  return { added, gone: before.length - (now.length - added.length) };
}

const unclear = (words: string): Seen => ({ is: 'unclear', words });

/** What was read of a record, and when that was asked for, in milliseconds of the clock. */
interface Reading {
  readonly records: readonly Listed[] | undefined;
  readonly atMs: number;
}

interface Looked {
  readonly reading: Reading;
  readonly lister: Lister;
}

/** What to say where no row that is unknown added a record: one that was sent a moment ago may still do so. */
function absent({ rows }: SentRows, { atMs }: Reading, { longestMs }: Lister): Seen {
  const lastMs = [...rows.values()].reduce((last, { at }) => Math.max(last, Date.parse(at)), -Infinity);
  const waitS = Math.ceil((lastMs + longestMs - atMs) / 1000);
  return waitS <= 0 ? { is: 'as-before' } : unclear(`it is not there and may still come: settle again in ${waitS} s`);
}

/** What the records tell of a row: those that are new must be of all rows that are done or unknown, or of the former alone. */
function seenBy(sent: Sent, sentRows: SentRows, { reading, lister }: Looked): Seen {
  const { rows, done, before } = sentRows;
  if (before === undefined) return unclear('what was there before it was sent was not read');
  if (reading.records === undefined) return unclear('there are too many records to tell');
  const { added, gone } = differenceOf(before, reading.records);
  if (gone > 0) return unclear(`records that were there before it were changed or removed: ${gone}`);
  if (added.length === done.size) return absent(sentRows, reading, lister);
  const made = added.filter(({ value }) => lister.isMadeBy(sent.input, value)).length;
  const alike = [...rows.values()].filter(({ sends }) => lister.isAlike(sent.input, sends.input)).length;
  if (added.length === rows.size && made === alike) return { is: 'as-sent' };
  return unclear(`${rows.size} rows were sent, ${added.length} records are new there, and ${made} of them are like it`);
}

/**
 * Looks at what rows added by the list of records beside each record: by those that are new since the first row of which it is
 * not known whether it was done.
 * @param journal the file of the journal; `states` is how its rows stand
 * @param nowMs the clock, in milliseconds, as entries of the journal have it
 */
export function lookingByList<S>(
  lister: Lister,
  { journal, states, nowMs }: { readonly journal: string; readonly states: RowStates; readonly nowMs: () => number },
): Looking<S> {
  let sent: ReadonlyMap<string, SentRows> = new Map();
  const readings = new Map<string, Reading>();
  const readingOf = async ({ key = '', input }: Sent): Promise<Reading> => {
    const known = readings.get(key);
    if (known !== undefined) return known;
    const atMs = nowMs();
    const reading = { atMs, records: await lister.read(input) };
    readings.set(key, reading);
    return reading;
  };
  return {
    refresh: () => {
      readings.clear();
      sent = sentToRecords(journal, states);
      return Promise.resolve();
    },
    at: async (row) => {
      const rows = sent.get(row.key ?? '');
      return rows === undefined ? undefined : seenBy(row, rows, { reading: await readingOf(row), lister });
    },
  };
}
