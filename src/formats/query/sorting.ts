import { readLines } from '../../state/lines.js';
import { openTemporaryFile, type TemporaryFile } from '../../state/temporary-file.js';
import { recordBatches } from '../../core/values/batches.js';
import type { RecordValue } from '../../core/values/value.js';
import type { Key, Order } from './order.js';

/** Records that are sorted when all of them have come. */
export interface Sorting {
  add(records: Iterable<RecordValue>): void;
  sorted(): Generator<RecordValue, undefined>;
  close(): void;
}

const mostCharacters = 16 * 1024 * 1024;

interface Entry {
  readonly key: Key;
  readonly record: RecordValue;
}

interface Head {
  readonly key: Key;
  readonly run: Run;
  record(): RecordValue;
}

interface Run {
  next(): Head | undefined;
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

function* merged(runs: readonly Run[], order: Order): Generator<RecordValue, undefined> {
  const heads = runs.flatMap((run) => run.next() ?? []);
  while (heads.length > 0) {
    const at = firstOf(heads, order);
    const head = heads[at];
    if (head === undefined) return;
    yield head.record();
    const next = head.run.next();
    heads.splice(at, 1, ...(next === undefined ? [] : [next]));
  }
}

/** Runs that are read at once: each is an open file. */
const mostRuns = 64;

const pieceRows = 256;

function writeRun(records: Iterable<RecordValue>): TemporaryFile {
  const file = openTemporaryFile();
  for (const batch of recordBatches(records, pieceRows)) {
    const lines = batch.map((record) => `${JSON.stringify(record)}\n`).join('');
    file.append(Buffer.from(lines));
  }
  return file;
}

// JSON.stringify wrote each line, so it is a record.
const recordOf = (line: string): RecordValue => JSON.parse(line) as RecordValue;

/** Bytes of a record that is read twice: it may wait long for its turn, and there are as many that wait as runs. */
const longBytes = 64 * 1024;

const keptRecord = (record: RecordValue) => (): RecordValue => record;

/** Reads a line when it is asked for. Nothing of it is held till then. */
const lineAgain =
  (file: TemporaryFile, { from, bytes }: { readonly from: number; readonly bytes: number }) =>
  (): RecordValue => {
    const line = Buffer.allocUnsafeSlow(bytes);
    file.read(line, from);
    return recordOf(line.toString('utf8'));
  };

function runIn(file: TemporaryFile, order: Order): Run {
  const lines = readLines(file.handle);
  let from = 0;
  const run: Run = {
    next() {
      const step = lines.next();
      if (step.done === true) return undefined;
      const line = step.value;
      const place = { from, bytes: Buffer.byteLength(line, 'utf8') };
      from += place.bytes + 1;
      const found = recordOf(line);
      const record = place.bytes < longBytes ? keptRecord(found) : lineAgain(file, place);
      return { run, key: order.keyOf(found), record };
    },
  };
  return run;
}

function runOf(entries: readonly Entry[]): Run {
  const rest = entries.values();
  const run: Run = {
    next() {
      const { done, value } = rest.next();
      return done === true ? undefined : { run, key: value.key, record: keptRecord(value.record) };
    },
  };
  return run;
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
  const heldRun = (): Run => runOf(held.sort((left, right) => order.compare(left.key, right.key)));
  const all = (): Generator<RecordValue, undefined> =>
    merged([...runs.map((file) => runIn(file, order)), heldRun()], order);
  const flush = (): void => {
    const isFull = runs.length === mostRuns;
    const run = writeRun(isFull ? all() : merged([heldRun()], order));
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
