import { type RecordType, type Type, opt, recordWithoutPresence } from '../../contract/build.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import {
  recordBatches,
  type RecordValue,
  charactersOf,
  isLongerThan,
  type Value,
  isList,
  isRecord,
} from '../../core/values/value.js';
import { compileExpression, type Expression } from './expression.js';
import { openSorting, type Sorting, orderBy } from './sorting.js';
import { anyType } from '../../contract/scalars.js';
import { openLineStore } from '../../state/temporary-file.js';

/** What a query gave, with all that is needed to know of its items before the first one is printed. */
export class Result {
  /** False for one value, which is the only item. */
  readonly isList: boolean;
  /** May be called again. Throws `local`. */
  readonly items: () => Iterable<Value>;
  /** The members of all records, in the order in which they come. */
  readonly names = new Set<string>();
  count = 0;
  areRecords = true;
  areScalars = true;

  constructor(isList: boolean, items: () => Iterable<Value>) {
    this.isList = isList;
    this.items = items;
  }

  /** Throws `usage` for an item that is too long to be written. */
  see(item: Value): void {
    checkLength(item);
    this.count += 1;
    if (isRecord(item)) for (const name of Object.keys(item)) this.names.add(name);
    else this.areRecords = false;
    if (isRecord(item) || isList(item)) this.areScalars = false;
  }
}

const valueColumn = 'value';

/** The type of the records that formats with columns print: anything that is no record is in the column `value`. */
export function resultType({ areRecords, names }: Result): RecordType {
  const columns = areRecords ? [...names] : [valueColumn];
  const fields = Object.fromEntries(columns.map((name) => [name, opt(anyType, 'Result of the query.')]));
  return recordWithoutPresence('Result', 'Result of a query.', fields);
}

/** The same records, as they come. Throws `local`. */
export function* printedRecords(result: Result): Generator<RecordValue> {
  for (const item of result.items()) yield result.areRecords && isRecord(item) ? item : { [valueColumn]: item };
}

interface Answer {
  add(records: readonly RecordValue[]): void;
  result(): Result;
  close(): void;
}

/** Characters of what a query needs all at once, and of one value that it gives: they take several times as much memory. */
const mostCharacters = 32 * 1024 * 1024;

/** A value takes as much memory as so many characters beside its own. */
const valueCharacters = 32;

const advice =
  'A query that begins with [].{a: A} runs on one record after the other: [].{a: A} | sort_by(@, &a). Or filter the records first, with --where.';

const tooMuch = (what: string): Error =>
  usage('--query', `${what} more than ${mostCharacters / 1024 / 1024} MiB`, { advice });

function checkLength(value: Value): void {
  if (isLongerThan(mostCharacters, value)) throw tooMuch('one value of the result has');
}

class Held {
  readonly all: Value[] = [];
  #characters = 0;

  add(values: readonly Value[]): void {
    for (const value of values) {
      checkLength(value);
      this.#characters += charactersOf(value) + valueCharacters;
      this.all.push(value);
    }
    if (this.#characters > mostCharacters) throw tooMuch('the part of the records that the query needs at once is');
  }
}

function resultOf(value: Value): Result {
  const items = isList(value) ? value : [value];
  const result = new Result(isList(value), () => items);
  for (const item of items) result.see(item);
  return result;
}

/** What a query gives of the one record that is added; of nil where none is. */
function answerOfOne({ of }: Expression): Answer {
  let one: RecordValue | undefined;
  return {
    add([record]) {
      one ??= record;
    },
    result: () => resultOf(of(one ?? null)),
    close: () => undefined,
  };
}

/** What a query gives of a list some items at a time. What is long is in a temporary file. */
function answerInSlices(first: (slice: readonly Value[]) => readonly Value[]): Answer {
  const store = openLineStore();
  const result = new Result(true, function* () {
    // JSON.stringify wrote each line, so it is a value.
    for (const line of store.lines()) yield JSON.parse(line) as Value;
  });
  return {
    add(records) {
      for (const item of first(records)) {
        result.see(item);
        store.add(JSON.stringify(item));
      }
    },
    result: () => result,
    close: () => store.close(),
  };
}

function answerOfList({ of, inSlices }: Expression): Answer {
  const { first, rest = of, most = Infinity } = inSlices ?? {};
  if (first !== undefined && inSlices?.rest === undefined) return answerInSlices(first);
  const held = new Held();
  return {
    add: (records) => held.add(first === undefined ? records : first(records).slice(0, most - held.all.length)),
    result: () => resultOf(rest(held.all)),
    close: () => undefined,
  };
}

/** What is asked of records. */
export interface Questions {
  readonly sort?: string | undefined;
  readonly query?: string | undefined;
  readonly count?: boolean | undefined;
}

/** The records that are asked. */
export interface Answering {
  readonly type: RecordType;
  readonly shape: 'list' | 'single';
  readonly limit?: number | undefined;
}

type Outcome =
  | { readonly kind: 'records'; readonly records: Iterable<RecordValue> }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'result'; readonly result: Result };

/** Takes records until all of them have come. */
export interface Collector {
  add(records: readonly RecordValue[]): void;
  /** Adds so many records of which nothing is needed; undefined where they are. */
  readonly count?: (records: number) => void;
  outcome(): Outcome;
  readonly isCut: boolean;
  close(): void;
}

const cutTo = (count: number, limit: number | undefined): number => Math.min(count, limit ?? count);

function counter(limit: number | undefined): Collector {
  let count = 0;
  const add = (records: number): void => {
    count += records;
  };
  return {
    add: ({ length }) => add(length),
    count: add,
    outcome: () => ({ kind: 'count', count: cutTo(count, limit) }),
    get isCut() {
      return cutTo(count, limit) < count;
    },
    close: () => undefined,
  };
}

/** Member of a row with the number of its record, where a record has several rows. No name in XML has this letter. */
const ownerMember = '\u0000record';

/** Makes a function that gives rows of records the number of their record, so that a limit counts records. */
export function numbered(rows: (record: RecordValue) => readonly RecordValue[]): typeof rows {
  let next = 0;
  return (record) => {
    const number = next++;
    return rows(record).map((row) => ({ ...row, [ownerMember]: number }));
  };
}

const ownerOf = ({ [ownerMember]: owner }: RecordValue): number | undefined =>
  typeof owner === 'number' ? owner : undefined;

const plainRow = (row: RecordValue): RecordValue =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== ownerMember));

/** The first records; of those with several rows, all rows of the records whose rows come first. */
function* first(records: Iterable<RecordValue>, count: number): Generator<RecordValue> {
  const owners = new Set<number>();
  let remaining = count;
  if (remaining === 0) return;
  for (const record of records) {
    const owner = ownerOf(record);
    if (owner === undefined) {
      yield record;
      remaining -= 1;
      if (remaining === 0) return;
    } else if (owners.has(owner) || owners.size < count) {
      owners.add(owner);
      yield plainRow(record);
    }
  }
}

function sorter(sorting: Sorting, limit: number | undefined): Collector {
  let count = 0;
  return {
    add(records) {
      const last = records.at(-1);
      const owner = last && ownerOf(last);
      count = owner === undefined ? count + records.length : owner + 1;
      sorting.add(records);
    },
    outcome: () => ({ kind: 'records', records: first(sorting.sorted(), cutTo(count, limit)) }),
    get isCut() {
      return cutTo(count, limit) < count;
    },
    close: () => sorting.close(),
  };
}

/** Records that are sorted are asked some at a time. */
const batchRows = 500;

function asker(answer: Answer, sorted: Collector | undefined): Collector {
  return {
    add: (records) => (sorted ?? answer).add(records),
    outcome() {
      const made = sorted?.outcome();
      if (made?.kind === 'records') for (const some of recordBatches(made.records, batchRows)) answer.add(some);
      return { kind: 'result', result: answer.result() };
    },
    get isCut() {
      return sorted?.isCut === true;
    },
    close() {
      sorted?.close();
      answer.close();
    },
  };
}

/** Makes what takes all records, for --sort, --query and --count. Throws `usage` for a mistake in one of them. */
export function collectorOf(questions: Questions, { type, shape, limit }: Answering): Collector {
  const { sort, query, count } = questions;
  const order = sort === undefined ? undefined : orderBy(sort.split(','), type);
  if (count === true) {
    if (query !== undefined)
      throw usage('--count', '--count and --query cannot be used together', '--query "length(@)"');
    return counter(limit);
  }
  const sorted = order && sorter(openSorting(order), limit);
  if (query === undefined) {
    if (sorted !== undefined) return sorted;
    throw new RelctlError('bug', 'the query needs all records');
  }
  const inputType: Type = shape === 'single' ? type : { kind: 'list', item: type, itemName: type.name };
  const expression = compileExpression({ path: '--query', text: query }, { type: inputType });
  const answer = shape === 'single' ? answerOfOne(expression) : answerOfList(expression);
  return asker(answer, sorted);
}
