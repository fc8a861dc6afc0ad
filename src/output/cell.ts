/** Plain data as it is printed: absent is a missing key, nil is null. */
export type Plain = string | number | boolean | null | readonly Plain[] | PlainRecord;

/** A record as it is printed. */
export interface PlainRecord {
  readonly [field: string]: Plain;
}

/** True for a record, not for a list, nil or a scalar. */
export function isRecord(value: Plain | undefined): value is PlainRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands at a path within a record; undefined when something on the way is absent or nil. */
export function valueAt(record: PlainRecord, path: readonly string[]): Plain | undefined {
  const [first] = path;
  if (first !== undefined && path.length === 1) {
    const own = record[first];
    // What objects have by birth is neither of these.
    if (typeof own === 'string' || typeof own === 'boolean' || typeof own === 'number' || own === null) return own;
  }
  let value: Plain | undefined = record;
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** A value as the text of one cell: scalars as they are, lists and records as compact JSON, nothing for absent and nil. */
export function cellText(value: Plain | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
