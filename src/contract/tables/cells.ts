import { hasValue, isList, isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import type { Column } from './columns.js';

/** The value of a cell: booleans are 0 and 1; long, decimal, dateTime and guid are text. */
export type Cell = string | number | null;

/** The value at a path of a record; undefined where it is absent. */
export function valueAt(record: RecordValue, path: readonly string[]): Value | undefined {
  let value: Value | undefined = record;
  for (const name of path) value = isRecord(value) ? value[name] : undefined;
  return value;
}

/** The items of the list at a path of a record; none where there is no list. */
export function listAt(record: RecordValue, path: readonly string[]): readonly Value[] {
  const value = valueAt(record, path);
  return isList(value) ? value : [];
}

/** A value as a cell; what is absent or nil is null, and a value that is no scalar is JSON. */
export function cellOf(value: Value | undefined): Cell {
  if (!hasValue(value)) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);
}

/** The cell of a record, or of the item of a list, in a column of the contract. */
export const cellIn = (item: Value, { path }: Column): Cell => cellOf(isRecord(item) ? valueAt(item, path) : item);
