import { contentWords } from '../client/content-hash.js';
import type { RecordValue } from '../plain/value.js';
import type { Parameters } from './tables.js';

const hexWord = (word: number): string => word.toString(16).padStart(8, '0');

/**
 * The hash of a record as a mirror keeps it: 16 hexadecimal digits.
 * @param contents hashes of the records of a page
 * @param at which of them
 */
export const hashText = (contents: Uint32Array, at: number): string =>
  hexWord(contents[at * contentWords] ?? 0) + hexWord(contents[at * contentWords + 1] ?? 0);

/** The scalar parameters of a request, as text. */
export function parametersOf(input: RecordValue): Parameters {
  const texts = Object.entries(input).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}
