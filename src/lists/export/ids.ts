import type { PageKeys } from '../../client/paging.js';

/** The keys of the rows of one page: 16 bytes for each Id, and 8 for the hash of its content. */
export interface PackedIds {
  readonly ids: Buffer;
  readonly contents: Buffer;
}

/** The same as a journal has them: bytes in base64. */
export interface KeptIds {
  readonly ids: string;
  readonly contents: string;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

// A copy, because the offset of a Uint32Array must be a multiple of four.
const wordsOf = (text: string): Uint32Array => new Uint32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer);

/** Packs the keys of the rows of a page. */
export const packIds = ({ ids, contents }: PageKeys): PackedIds => ({ ids: bytesOf(ids), contents: bytesOf(contents) });

/** Unpacks the keys of a page. */
export const unpackIds = ({ ids, contents }: KeptIds): PageKeys => ({ ids: wordsOf(ids), contents: wordsOf(contents) });
