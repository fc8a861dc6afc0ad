import { opt, type RecordType, recordWithoutPresence } from '../contract/build.js';
import { anyType } from '../contract/scalars.js';
import { openLineStore } from '../files/temporary-file.js';
import { isList, isRecord, type RecordValue, type Value } from '../plain/value.js';

/** What a query gave. */
export interface Result {
  /** False for one value, which is the only item. */
  readonly isList: boolean;
  readonly count: number;
  /** All items are records. */
  readonly areRecords: boolean;
  /** No item is a record or a list. */
  readonly areScalars: boolean;
  /** The members of all records, in the order in which they come. */
  readonly names: Iterable<string>;
  /** May be called again. Throws `local`. */
  items(): Iterable<Value>;
}

/** Finds out what is needed of all items before the first one is printed. */
class Seen {
  readonly names = new Set<string>();
  count = 0;
  areRecords = true;
  areScalars = true;

  add(item: Value): void {
    this.count += 1;
    if (isRecord(item)) for (const name of Object.keys(item)) this.names.add(name);
    else this.areRecords = false;
    if (isRecord(item) || isList(item)) this.areScalars = false;
  }
}

/** A value as what a query gave. */
export function resultOf(value: Value): Result {
  const items: readonly Value[] = isList(value) ? value : [value];
  const seen = new Seen();
  for (const item of items) seen.add(item);
  const { count, areRecords, areScalars, names } = seen;
  return { isList: isList(value), count, areRecords, areScalars, names, items: () => items };
}

/** A list that a query gives some items at a time. A long one is in a temporary file. */
export class ResultList implements Result {
  readonly isList = true;
  readonly #seen = new Seen();
  readonly #store = openLineStore();

  /** Adds items. Throws `local`. */
  add(items: readonly Value[]): void {
    for (const item of items) {
      this.#seen.add(item);
      this.#store.add(JSON.stringify(item));
    }
  }

  get count(): number {
    return this.#seen.count;
  }

  get areRecords(): boolean {
    return this.#seen.areRecords;
  }

  get areScalars(): boolean {
    return this.#seen.areScalars;
  }

  get names(): Iterable<string> {
    return this.#seen.names;
  }

  *items(): Generator<Value> {
    // JSON.stringify wrote each line, so it is a value.
    for (const line of this.#store.lines()) yield JSON.parse(line) as Value;
  }

  close(): void {
    this.#store.close();
  }
}

/** Name of the only column of values that are no records. */
const valueColumn = 'value';

/** The type of the records that formats with columns print: anything that is no record is in the column `value`. */
export function printedType({ areRecords, names }: Result): RecordType {
  const columns = areRecords ? [...names] : [valueColumn];
  const fields = Object.fromEntries(columns.map((name) => [name, opt(anyType, 'What the query gave.')]));
  return recordWithoutPresence('Result', 'What a query gave.', fields);
}

/** The same records, as they come. Throws `local`. */
export function* printedRecords(result: Result): Generator<RecordValue> {
  for (const item of result.items()) yield result.areRecords && isRecord(item) ? item : { [valueColumn]: item };
}
