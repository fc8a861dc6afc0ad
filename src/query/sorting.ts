import { tmpdir } from 'node:os';
import { writeAll } from '../files/durable.js';
import { attempt } from '../files/failure.js';
import { readLines } from '../files/lines.js';
import { openTemporaryFile, type TemporaryFile } from '../files/temporary-file.js';
import { inBatches } from '../plain/batches.js';
import type { RecordValue } from '../plain/value.js';
import type { Key, Order } from './order.js';

/** Records that are sorted when all of them have come. */
export interface Sorting {
  add(records: Iterable<RecordValue>): void;
  /** The records in their order; equal ones as they were added. */
  sorted(): Generator<RecordValue, undefined>;
  close(): void;
}

/** Characters of records that are sorted in memory at once. */
const mostCharacters = 16 * 1024 * 1024;

interface Entry {
  readonly key: Key;
  readonly record: RecordValue;
}

interface Head extends Entry {
  readonly rest: Iterator<RecordValue, undefined>;
}

/** The record that comes first; of equal ones that of the first run, which was added first. */
function firstOf(heads: readonly Head[], order: Order): number {
  let first = 0;
  for (const [at, head] of heads.entries()) {
    const best = heads[first];
    if (at > 0 && best !== undefined && order.compare(head.key, best.key) < 0) first = at;
  }
  return first;
}

function headOf(rest: Iterator<RecordValue, undefined>, order: Order): Head | undefined {
  const { done, value } = rest.next();
  return done === true ? undefined : { rest, record: value, key: order.keyOf(value) };
}

function* merged(runs: readonly Iterator<RecordValue, undefined>[], order: Order): Generator<RecordValue, undefined> {
  const heads = runs.flatMap((run) => headOf(run, order) ?? []);
  while (heads.length > 0) {
    const at = firstOf(heads, order);
    const head = heads[at];
    if (head === undefined) return;
    yield head.record;
    const next = headOf(head.rest, order);
    heads.splice(at, 1, ...(next === undefined ? [] : [next]));
  }
}

/** Runs that are read at once: each is an open file. */
const mostRuns = 64;

const pieceRows = 256;

function writeRun(records: Iterable<RecordValue>): TemporaryFile {
  const file = openTemporaryFile(tmpdir());
  for (const batch of inBatches(records, pieceRows)) {
    const lines = batch.map((record) => `${JSON.stringify(record)}\n`).join('');
    attempt(file.path, () => writeAll(file.handle, Buffer.from(lines)));
  }
  return file;
}

function* recordsIn({ handle }: TemporaryFile): Generator<RecordValue, undefined> {
  // JSON.stringify wrote each line, so it is a record.
  for (const line of readLines(handle)) yield JSON.parse(line) as RecordValue;
}

/**
 * Opens a sorting: in memory while it is small, then in temporary files that only their owner can read. Its `add` throws
 * `local` when these cannot be written.
 * @param most how many characters of records are sorted in memory
 */
export function openSorting(order: Order, most = mostCharacters): Sorting {
  let runs: TemporaryFile[] = [];
  let held: Entry[] = [];
  let characters = 0;
  // Array.prototype.sort keeps the order of equal entries.
  const heldRecords = (): RecordValue[] =>
    held.sort((left, right) => order.compare(left.key, right.key)).map(({ record }) => record);
  const all = (): Generator<RecordValue, undefined> => {
    const last = heldRecords()[Symbol.iterator]();
    return merged([...runs.map(recordsIn), last], order);
  };
  const flush = (): void => {
    const isFull = runs.length === mostRuns;
    const run = writeRun(isFull ? all() : heldRecords());
    if (isFull) for (const each of runs) each.close();
    runs = isFull ? [run] : [...runs, run];
    held = [];
    characters = 0;
  };
  return {
    add(records) {
      for (const record of records) {
        held.push({ key: order.keyOf(record), record });
        characters += JSON.stringify(record).length;
        if (characters >= most) flush();
      }
    },
    sorted: all,
    close: () => {
      for (const each of runs) each.close();
    },
  };
}
