import { isRecord, type RecordValue, type Value } from '../plain/value.js';

/** What stands at a path within a record; undefined when something on the way is absent or nil. */
export function valueAt(record: RecordValue, path: readonly string[]): Value | undefined {
  const [first] = path;
  if (first !== undefined && path.length === 1) {
    const own = record[first];
    // What objects have by birth is neither of these.
    if (typeof own === 'string' || typeof own === 'boolean' || typeof own === 'number' || own === null) return own;
  }
  let value: Value | undefined = record;
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** A value as the text of one cell: scalars as they are, lists and records as compact JSON, nothing for absent and nil. */
export function cellText(value: Value | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
