import { isRecord, type RecordValue, type Value } from '../../plain/value.js';
import { createHash } from 'node:crypto';

/** Bytes of a digest: so many that two different records never have the same. */
export const digestBytes = 16;

/** A value with the members of its records in the order of their names: members may come in any order. */
function ordered(value: Value): Value {
  if (isRecord(value)) {
    const names = Object.keys(value).sort();
    // A member named __proto__ is a member like any other.
    return Object.fromEntries(names.map((name) => [name, ordered(value[name] ?? null)]));
  }
  return Array.isArray(value) ? value.map((item: Value) => ordered(item)) : value;
}

/** The start of the SHA-256 hash of a text. */
export function textDigest(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, digestBytes);
}

/** Digest of all values of a record. Absent, nil and empty differ; the order of members does not matter. */
export function contentDigest(record: RecordValue): Buffer {
  return textDigest(JSON.stringify(ordered(record)));
}
