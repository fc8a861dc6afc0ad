import { readLines } from '../../state/lines.js';
import { openTemporaryFile, type TemporaryFile } from '../../state/temporary-file.js';
import { recordBatches } from '../../core/values/batches.js';
import type { RecordValue, Value } from '../../core/values/value.js';
import type { RecordType, Type } from '../../contract/build.js';
import { usage } from '../../core/errors/relctl-error.js';
import { fold } from '../../core/text/fold.js';
import { nilMemberRequested, nilMembersOf, withElsewhere } from '../left-nil.js';
import { columnsNamed, type Column, cellText, valueAt } from '../columns.js';
import { comparingIn, type Key as Compared } from './where/values.js';

/** What a record is sorted by: a part for each column, undefined where it has no value. */
type Key = readonly (Part | undefined)[];

interface Part {
  /** The value as text, which decides between equal ones. */
  readonly text: string;
  /** What is compared first; undefined for a value that is not what its column says. */
  readonly by: Compared | undefined;
}

interface Order {
  keyOf(record: RecordValue): Key;
  /** Negative when left comes first; zero for records that keep the order in which they came. */
  compare(left: Key, right: Key): number;
}

const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

interface Rule {
  readonly by: (text: string) => Part['by'];
  readonly compare: (left: Part, right: Part) => number;
}

const texts: Rule = {
  by: fold,
  compare: (left, right) => compareTexts(left.by as string, right.by as string) || compareTexts(left.text, right.text),
};

const comparingOf = comparingIn({ zone: 'UTC' });

function ruleFor(type: Type): Rule {
  const comparing = comparingOf(type);
  if (comparing?.name !== 'number' && comparing?.name !== 'time') return texts;
  const { keyOf, compare } = comparing;
  // Both are of the type.
  return {
    by: (text) => keyOf(text) ?? undefined,
    compare: (left, right) => compare(left.by as Compared, right.by as Compared),
  };
}

function compareParts(rule: Rule, left: Part, right: Part): number {
  if (left.by !== undefined && right.by !== undefined) return rule.compare(left, right);
  // What is not of its type comes behind what is.
  if (left.by === undefined && right.by === undefined) return compareTexts(left.text, right.text);
  return left.by === undefined ? 1 : -1;
}

interface SortColumn {
  readonly path: readonly string[];
  readonly rule: Rule;
  readonly sign: 1 | -1;
}

function comparePartsOf({ rule, sign }: SortColumn, left: Part | undefined, right: Part | undefined): number {
  if (left === undefined || right === undefined) {
    // What has no value comes last in either direction.
    return left === right ? 0 : left === undefined ? 1 : -1;
  }
  return sign * compareParts(rule, left, right);
}

function sortColumn(column: Column, direction: string): SortColumn {
  const { type, path, title } = column;
  if (type.kind === 'list' || type.kind === 'record') {
    throw usage('--sort', `${title} is a ${type.kind}, which has no order`);
  }
  return { path, rule: ruleFor(type), sign: direction.toLowerCase() === 'desc' ? -1 : 1 };
}

const isScalar = (value: Value | undefined): value is string | number | boolean =>
  value !== undefined && value !== null && typeof value !== 'object';

/**
 * The order that names of columns say: `DisplayName` or `SalesPrice:desc`, the first one first. Numbers are ordered by value,
 * times by instant (those without a zone as if in UTC), texts without regard to case and accents and then by their letters;
 * what has no value comes last. Throws `usage` for a column that cannot be sorted by, and for one that the service leaves nil.
 */
export function orderBy(words: readonly string[], record: RecordType): Order {
  const parts = words.map((word) => /^(.*?)(?::(asc|desc))?$/isu.exec(word.trim()) ?? []);
  const wrong = parts.find(([, name = '']) => name.includes(':'));
  if (wrong !== undefined) {
    throw usage('--sort', `'${wrong[0]}' names no direction; the directions are asc and desc`);
  }
  const signed = parts.find(([, name = '']) => /^[-+]./.test(name));
  if (signed !== undefined) {
    const [given = '', name = ''] = signed;
    const direction = name.startsWith('-') ? 'desc' : 'asc';
    throw usage('--sort', `'${given}': the direction stands behind the name, as in NAME:${direction}`, {
      given,
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
      columns.map(({ path, rule }) => {
        const value = valueAt(each, path);
        if (!isScalar(value))
          return value === undefined || value === null ? undefined : { text: cellText(value), by: undefined };
        const text = String(value);
        return { text, by: rule.by(text) };
      }),
    compare: (left, right) => {
      for (const [at, column] of columns.entries()) {
        const found = comparePartsOf(column, left[at], right[at]);
        if (found !== 0) return found;
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

const recordInMemory = (record: RecordValue) => (): RecordValue => record;

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
      const record = place.bytes < longBytes ? recordInMemory(found) : lineAgain(file, place);
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
      return done === true ? undefined : { run, key: value.key, record: recordInMemory(value.record) };
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
