import { opt, recordWithoutPresence, type RecordType } from '../contract/build.js';
import { anyType } from '../contract/scalars.js';
import { isList, isRecord, type RecordValue, type Value } from '../plain/value.js';

/** What a query gave, as records that formats with columns can print. */
export interface Printable {
  readonly type: RecordType;
  readonly shape: 'list' | 'single';
  readonly records: readonly RecordValue[];
}

/** Name of the only column of values that are no records. */
const valueColumn = 'value';

function typeOf(records: readonly RecordValue[]): RecordType {
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  const fields = Object.fromEntries([...names].map((name) => [name, opt(anyType, 'What the query gave.')]));
  return recordWithoutPresence('Result', 'What a query gave.', fields);
}

/**
 * Records for what a query gave: those of a list, or the one record; anything else is in the column `value`. The columns are
 * the members of all records, in the order in which they come.
 */
export function printableOf(value: Value): Printable {
  const items: readonly Value[] = isList(value) ? value : [value];
  const records = items.every((item) => isRecord(item)) ? items : items.map((item) => ({ [valueColumn]: item }));
  return { type: typeOf(records), shape: isList(value) ? 'list' : 'single', records };
}
