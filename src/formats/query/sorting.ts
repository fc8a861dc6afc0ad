import { readLines } from '../../state/lines.js';
import { openTemporaryFile, type TemporaryFile } from '../../state/temporary-file.js';
import { valueAt, hasValue, recordBatches, type RecordValue } from '../../core/values/value.js';
import type { RecordType } from '../../contract/build.js';
import { usage } from '../../core/errors/relctl-error.js';
import { fold } from '../../core/text/text.js';
import { columnsNamed, type Column, cellText, nilMemberRequested, nilMembersOf, withElsewhere } from '../columns.js';
import { comparingIn, type Key as Compared } from './where/values.js';

/** What a record is sorted by: a part for each column, undefined where it has no value. */
type Key = readonly (Part | undefined)[];

interface Part {
  /** The value as text, which decides between equal ones of a column of texts. */
  readonly text: string;
  /** What is compared first; undefined for a value that is not what its column says. */
  readonly by: Compared | undefined;
}

interface Order {
  keyOf(record: RecordValue): Key;
  /** Negative when left comes first; zero for records that keep the order in which they came. */
  compare(left: Key, right: Key): number;
}

const compareTexts = (left: Compared, right: Compared): number => (left < right ? -1 : left > right ? 1 : 0);

interface SortColumn {
  readonly path: readonly string[];
  readonly sign: 1 | -1;
  readonly keyOf: (text: string) => Compared | null;
  readonly compare: (left: Compared, right: Compared) => number;
  readonly isText: boolean;
}

const comparingOf = comparingIn({ zone: 'UTC' });

function sortColumn({ type, path, title }: Column, direction: string): SortColumn {
  if (type.kind === 'list' || type.kind === 'record')
    throw usage('--sort', `${title} is a ${type.kind}, which has no order`);
  const sign = direction.toLowerCase() === 'desc' ? -1 : 1;
  const comparing = comparingOf(type);
  return comparing?.name === 'number' || comparing?.name === 'time'
    ? { path, sign, keyOf: comparing.keyOf, compare: comparing.compare, isText: false }
    : { path, sign, keyOf: fold, compare: compareTexts, isText: true };
}

/** What is not of its type comes behind what is. */
function compareParts({ compare, isText }: SortColumn, left: Part, right: Part): number {
  const byText = (): number => compareTexts(left.text, right.text);
  if (left.by === undefined) return right.by === undefined ? byText() : 1;
  if (right.by === undefined) return -1;
  return compare(left.by, right.by) || (isText ? byText() : 0);
}

/** What has no value comes last in either direction. */
function compareIn(column: SortColumn, left: Part | undefined, right: Part | undefined): number {
  if (left !== undefined && right !== undefined) return column.sign * compareParts(column, left, right);
  return left === right ? 0 : left === undefined ? 1 : -1;
}

/**
 * The order that names of columns say: `DisplayName` or `SalesPrice:desc`, the first one first. Numbers are ordered by value,
 * times by instant (those without a zone as if in UTC), texts without regard to case and accents and then by their letters;
 * what has no value comes last. Throws `usage` for a column that cannot be sorted by, and for one that the service leaves nil.
 */
export function orderBy(words: readonly string[], record: RecordType): Order {
  const parts = words.map((word) => /^(.*?)(?::(asc|desc))?$/isu.exec(word.trim()) ?? []);
  const wrong = parts.find(([, name = '']) => name.includes(':'));
  if (wrong !== undefined) {
    throw usage('--sort', `'${wrong[0]}' is not a direction; the directions are asc and desc`);
  }
  const signed = parts.find(([, name = '']) => /^[-+]./.test(name));
  if (signed !== undefined) {
    const [sign = '', name = ''] = signed;
    const direction = name.startsWith('-') ? 'desc' : 'asc';
    throw usage('--sort', `'${sign}': write the direction after the name, as in NAME:${direction}`, {
      given: sign,
      meant: `${name.slice(1)}:${direction}`,
    });
  }
  const named = columnsNamed(
    record,
    parts.map(([, name = '']) => name),
    '--sort',
  );
  const [nil] = nilMembersOf(record, named);
  if (nil !== undefined) throw withElsewhere(usage('--sort', nilMemberRequested(nil)), record, nil);
  const columns = named.map((column, at) => sortColumn(column, parts[at]?.[2] ?? 'asc'));
  return {
    keyOf: (each) =>
      columns.map(({ path, keyOf }) => {
        const value = valueAt(each, path);
        if (!hasValue(value)) return undefined;
        const text = cellText(value);
        return { text, by: typeof value === 'object' ? undefined : (keyOf(text) ?? undefined) };
      }),
    compare: (left, right) => {
      for (const [at, column] of columns.entries()) {
        const order = compareIn(column, left[at], right[at]);
        if (order !== 0) return order;
      }
      return 0;
    },
  };
}

/** Records that are sorted when all of them have come. */
export interface Sorting {
  add(records: Iterable<RecordValue>): void;
  sorted(): Generator<RecordValue, undefined>;
  close(): void;
}

const mostCharacters = 16 * 1024 * 1024;

/** Gives the next of records that are in their order; undefined behind the last. */
type Run = () => { readonly key: Key; readonly record: () => RecordValue } | undefined;

/** The records of runs in their order; of equal ones first that of the first run, which was added first. */
function* merged(runs: readonly Run[], order: Order): Generator<RecordValue, undefined> {
  const heads = runs.map((next) => ({ next, head: next() }));
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const each of heads) {
      const isBefore =
        each.head !== undefined && (first?.head === undefined || order.compare(each.head.key, first.head.key) < 0);
      if (isBefore) first = each;
    }
    if (first?.head === undefined) return;
    yield first.head.record();
    first.head = first.next();
  }
}

/** Runs that are read at once: each is an open file. */
const mostRuns = 64;

const pieceRows = 256;

function writeRun(records: Iterable<RecordValue>): TemporaryFile {
  const file = openTemporaryFile();
  for (const batch of recordBatches(records, pieceRows))
    file.append(Buffer.from(batch.map((record) => `${JSON.stringify(record)}\n`).join('')));
  return file;
}

// JSON.stringify wrote each line, so it is a record.
const recordOf = (line: string): RecordValue => JSON.parse(line) as RecordValue;

/** Bytes of a record that is read twice: it may wait long for its turn, and there are as many that wait as runs. */
const longBytes = 64 * 1024;

/** Reads a line when it is asked for. Nothing of it is held till then. */
const lineAgain = (file: TemporaryFile, from: number, bytes: number) => (): RecordValue => {
  const line = Buffer.allocUnsafeSlow(bytes);
  file.read(line, from);
  return recordOf(line.toString('utf8'));
};

function runIn(file: TemporaryFile, order: Order): Run {
  const lines = readLines(file.handle);
  let end = 0;
  return () => {
    const step = lines.next();
    if (step.done === true) return undefined;
    const [from, bytes] = [end, Buffer.byteLength(step.value, 'utf8')];
    end += bytes + 1;
    const record = recordOf(step.value);
    return { key: order.keyOf(record), record: bytes < longBytes ? () => record : lineAgain(file, from, bytes) };
  };
}

/**
 * Opens a sorting: in memory while it is small, then in temporary files that only their owner can read. Its `add` throws
 * `local` when these cannot be written.
 * @param most how many characters of records are sorted in memory
 */
export function openSorting(order: Order, most = mostCharacters): Sorting {
  let runs: TemporaryFile[] = [];
  let held: { readonly key: Key; readonly record: RecordValue }[] = [];
  let characters = 0;
  // Array.prototype.sort keeps the order of equal entries.
  const heldRun = (): Run => {
    const rest = held.sort((left, right) => order.compare(left.key, right.key)).values();
    return () => {
      const { value } = rest.next();
      return value && { key: value.key, record: () => value.record };
    };
  };
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
