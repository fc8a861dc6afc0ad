import { isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import { hash } from 'node:crypto';

/** Bytes of a digest: so many that two different records never have the same. */
export const digestBytes = 16;

/** Words of 32 bits of a digest. */
export const digestWords = digestBytes / Uint32Array.BYTES_PER_ELEMENT;

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
  return hash('sha256', text, 'buffer').subarray(0, digestBytes);
}

/** Writes the digest of a text to `words`, from index `at`. */
export function writeDigest(text: string, words: Uint32Array, at: number): void {
  // One character for each byte: a Buffer for each text would cost more than its hash.
  const bytes = hash('sha256', text, 'binary');
  for (let word = 0, byte = 0; word < digestWords; word += 1, byte += 4) {
    const high = (bytes.charCodeAt(byte) << 8) | bytes.charCodeAt(byte + 1);
    const low = (bytes.charCodeAt(byte + 2) << 8) | bytes.charCodeAt(byte + 3);
    words[at + word] = high * 0x10000 + low;
  }
}

/** Digest of all values of a record. Absent, nil and empty differ; the order of members does not matter. */
export function contentDigest(record: RecordValue): Buffer {
  return textDigest(JSON.stringify(ordered(record)));
}
