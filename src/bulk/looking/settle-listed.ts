import type { Entry, Sent } from '../../batches/entry.js';
import { entriesOf } from '../../batches/journal.js';
import type { RowStates } from '../../batches/row-states.js';
import type { Looking, Seen } from '../rows-text.js';
import type { Lister, Listed } from './listed.js';

/** What was sent for a row, and when. */
type SentRow = Extract<Entry, { sends: Sent }>;

/** Rows that were sent to one record from its first unknown row on, and are done or unknown. */
interface SentRows {
  /** The last that was sent for each, by its number. */
  readonly rows: Map<number, SentRow>;
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
