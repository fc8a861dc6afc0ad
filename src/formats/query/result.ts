import { opt, type RecordType, recordWithoutPresence } from '../../contract/build.js';
import { anyType } from '../../contract/scalars.js';
import { openLineStore } from '../../state/temporary-file.js';
import { isList, isRecord, type RecordValue, type Value } from '../../core/values/value.js';

/** What a query gave, with all that is needed to know of its items before the first one is printed. */
export abstract class Result {
  /** False for one value, which is the only item. */
  abstract readonly isList: boolean;
  /** The members of all records, in the order in which they come. */
  readonly names = new Set<string>();
  count = 0;
  /** All items are records. */
  areRecords = true;
  /** No item is a record or a list. */
  areScalars = true;

  /** May be called again. Throws `local`. */
  abstract items(): Iterable<Value>;

  protected see(item: Value): void {
    this.count += 1;
    if (isRecord(item)) for (const name of Object.keys(item)) this.names.add(name);
    else this.areRecords = false;
    if (isRecord(item) || isList(item)) this.areScalars = false;
  }
}

/** A value that a query gave as a whole. */
export class ResultValue extends Result {
  readonly isList: boolean;
  readonly #items: readonly Value[];

  constructor(value: Value) {
    super();
    this.isList = isList(value);
    this.#items = isList(value) ? value : [value];
    for (const item of this.#items) this.see(item);
  }

  items(): readonly Value[] {
    return this.#items;
  }
}

/** A list that a query gives some items at a time. A long one is in a temporary file. */
export class ResultList extends Result {
  readonly isList = true;
  readonly #store = openLineStore();

  /** Adds items. Throws `local`. */
  add(items: readonly Value[]): void {
    for (const item of items) {
      this.see(item);
      this.#store.add(JSON.stringify(item));
    }
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
