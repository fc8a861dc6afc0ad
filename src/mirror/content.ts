import { contentWords } from '../client/rows/content-hash.js';
import type { RecordValue } from '../plain/value.js';
import type { Parameters } from './tables.js';

/** Room for the words of one hash: a text of their bytes is made faster than one of each number. */
const room = Buffer.alloc(contentWords * Uint32Array.BYTES_PER_ELEMENT);

/**
 * The hash of a record as a mirror keeps it: 16 hexadecimal digits.
 * @param contents hashes of the records of a page
 * @param at which of them
 */
export function hashText(contents: Uint32Array, at: number): string {
  for (let word = 0; word < contentWords; word += 1)
    room.writeUInt32BE(contents[at * contentWords + word] ?? 0, word * Uint32Array.BYTES_PER_ELEMENT);
  return room.toString('hex');
}

/** The scalar parameters of a request, as text. */
export function parametersOf(input: RecordValue): Parameters {
  const texts = Object.entries(input).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}
