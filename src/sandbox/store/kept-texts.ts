import type { KeptTexts, Store } from './open.js';
import { watchRows } from './state.js';

/** Bytes of all texts together: 10,000 relations with their field values have 10 million. */
const mostBytes = 16 * 1024 * 1024;

/** Texts that were of no use give way to others the later, the more often that happened: up to so many times. */
const mostPatience = 8;

/**
 * Keeps texts of the rows of a database. When there is room for no more, none is added; when as many were not found since as
 * are kept, all of them go. Where more rows are read in turn than there is room for, none of them is found again: of those
 * that were found less often than there were of them the next ones take longer to go, for to keep a text takes time.
 * @param isWanted asked before a text is added
 */
export function keepTexts(store: Store, isWanted: () => boolean): KeptTexts {
  let kept = new Map<string, Map<number, Uint8Array>>();
  let count = 0;
  let bytes = 0;
  let found = 0;
  let missed = 0;
  let patience = 1;
  const clear = (): void => {
    kept = new Map();
    [count, bytes, found, missed] = [0, 0, 0, 0];
  };
  const hasRoom = (length: number): boolean => bytes + length <= mostBytes;
  const miss = (): void => {
    missed += 1;
    if (missed <= patience * count) return;
    patience = found < count ? Math.min(2 * patience, mostPatience) : 1;
    clear();
  };
  const add = (kind: string, seq: number, text: string): void => {
    // A text has as many bytes as characters, or more. To count them takes longer than to write a record.
    const length = hasRoom(text.length) ? Buffer.byteLength(text) : Infinity;
    if (!hasRoom(length)) {
      miss();
      return;
    }
    const texts = kept.get(kind) ?? new Map<number, Uint8Array>();
    kept.set(kind, texts);
    if (texts.has(seq)) return;
    texts.set(seq, Buffer.from(text));
    bytes += length;
    count += 1;
  };
  const find = (kind: string, seq: number): Uint8Array | undefined => {
    const text = kept.get(kind)?.get(seq);
    if (text !== undefined) found += 1;
    return text;
  };
  const look = watchRows(store, clear);
  return {
    of: (kind) => {
      const areOfThese = look();
      return {
        of: (seq) => find(kind, seq),
        keep: (seq, text) => {
          // While it was written, others may have changed rows.
          if (areOfThese() && isWanted()) add(kind, seq, text);
        },
      };
    },
  };
}
