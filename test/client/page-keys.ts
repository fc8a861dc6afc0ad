import { createHash } from 'node:crypto';
import type { PageKeys } from '../../src/client/rows/row.js';

const isGuid = (id: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);

const wordsOf = (bytes: Buffer): readonly number[] => [0, 4, 8, 12].map((at) => bytes.readUInt32BE(at));

/** The four words that stand for an Id: its digits, or the first of the hash of its text. */
export const idWords = (id: string): readonly number[] =>
  wordsOf(
    isGuid(id) && /[^0-]/.test(id)
      ? Buffer.from(id.replaceAll('-', ''), 'hex')
      : createHash('sha256').update(Buffer.from(id, 'utf16le')).digest(),
  );

/** The keys of a page with these Ids, and two words of each row for its content. */
export const keysOfIds = (
  ids: readonly string[],
  contentOf: (id: string, at: number) => readonly [number, number],
): PageKeys => ({
  ids: Uint32Array.from(ids.flatMap(idWords)),
  contents: Uint32Array.from(ids.flatMap(contentOf)),
});
