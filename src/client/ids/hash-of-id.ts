import { hash } from 'node:crypto';
import { guidWords } from './guid-table.js';

/**
 * Writes what stands for an Id that is no GUID to four words: the first of its SHA-256 hash, which no two texts share. A text
 * for each of a million rows would take much more memory.
 */
export function writeHashOfId(id: string, words: Uint32Array): void {
  // In UTF-8 two texts may be the same that are not.
  const bytes = hash('sha256', Buffer.from(id, 'utf16le'), 'buffer');
  for (let word = 0; word < guidWords; word += 1)
    words[word] = bytes.readUInt32BE(word * Uint32Array.BYTES_PER_ELEMENT);
}
