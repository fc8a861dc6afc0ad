import type { PageKeys, RowKey } from '../client/paging.js';
import { guidWords } from '../client/ids/guid-table.js';
import { guidOfDigits } from '../lexical/values/guid.js';

const wordBytes = Uint32Array.BYTES_PER_ELEMENT;

/** Bytes of a GUID, and of what stands for an Id that is none. */
const idBytes = guidWords * wordBytes;

/**
 * The keys of the rows of one page: 16 bytes for each GUID, and for what stands for each other Id; and hashes of the contents,
 * 8 bytes each, first those of GUIDs.
 */
export interface PackedIds {
  readonly guids: Buffer;
  readonly hashes: Buffer;
  readonly contents: Buffer;
}

/** The same as a journal has them: bytes in base64. */
export interface KeptIds {
  readonly guids: string;
  readonly hashes: string;
  readonly contents: string;
}

/** The highest byte of each word first, as digits of a GUID are written. */
function packedWords(words: Uint32Array): Buffer {
  const bytes = Buffer.alloc(words.byteLength);
  // By index: an iterator would make an object for each word.
  for (let word = 0; word < words.length; word += 1) bytes.writeUInt32BE(words[word] ?? 0, word * wordBytes);
  return bytes;
}

function unpackedWords(bytes: Buffer): Uint32Array {
  const words = new Uint32Array(bytes.length / wordBytes);
  for (let word = 0; word < words.length; word += 1) words[word] = bytes.readUInt32BE(word * wordBytes);
  return words;
}

/** Packs the keys of the rows of a page. */
export function packIds({ guids, hashes, contents }: PageKeys): PackedIds {
  return {
    guids: packedWords(guids),
    hashes: packedWords(hashes),
    contents: Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength),
  };
}

function* unpackedIds({ guids, hashes }: KeptIds): Generator<{ id: string } | { hash: Uint32Array }> {
  const digits = Buffer.from(guids, 'base64').toString('hex');
  for (let at = 0; at < digits.length; at += idBytes * 2)
    yield { id: guidOfDigits(digits.slice(at, at + idBytes * 2)) };
  const words = unpackedWords(Buffer.from(hashes, 'base64'));
  for (let at = 0; at < words.length; at += guidWords) yield { hash: words.subarray(at, at + guidWords) };
}

/** Unpacks keys, those with GUIDs first. */
export function* unpackIds(kept: KeptIds): Generator<RowKey> {
  // A copy, because the offset of a Uint32Array must be a multiple of four.
  const words = new Uint32Array(Uint8Array.from(Buffer.from(kept.contents, 'base64')).buffer);
  let at = 0;
  for (const id of unpackedIds(kept)) {
    yield { ...id, left: words[at] ?? 0, right: words[at + 1] ?? 0 };
    at += 2;
  }
}
