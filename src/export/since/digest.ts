import { isRecord, type RecordValue, type Value } from '../../plain/value.js';
import { createHash } from 'node:crypto';

/** Bytes that stand for what a record holds: enough that two different records never look alike. */
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

/** Stands for everything that a record holds; absent, nil and empty are three things, the order of members is none. */
export function contentDigest(record: RecordValue): Buffer {
  return textDigest(JSON.stringify(ordered(record)));
}
