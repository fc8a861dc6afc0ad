import type { KeptTexts, Store } from './open.js';
import { stateOf } from './state.js';

/** Bytes of all texts together: 10,000 relations with their field values have 10 million. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Keeps texts of the rows of a database. When there is room for no more, none is added; when as many were not found since as
 * are kept, all of them go.
 * @param isWanted asked before a text is added
 */
export function keepTexts(store: Store, isWanted: () => boolean): KeptTexts {
  let state = '';
  let kept = new Map<string, Map<number, Uint8Array>>();
  let count = 0;
  let bytes = 0;
  let missed = 0;
  const clear = (): void => {
    kept = new Map();
    [count, bytes, missed] = [0, 0, 0];
  };
  const add = (kind: string, seq: number, text: string): void => {
    const length = Buffer.byteLength(text);
    if (bytes + length > mostBytes) {
      missed += 1;
      if (missed > count) clear();
      return;
    }
    const texts = kept.get(kind) ?? new Map<number, Uint8Array>();
    kept.set(kind, texts);
    if (texts.has(seq)) return;
    texts.set(seq, Buffer.from(text));
    bytes += length;
    count += 1;
  };
  return {
    of: (kind) => {
      const now = stateOf(store);
      if (now !== state) {
        clear();
        state = now;
      }
      return {
        of: (seq) => kept.get(kind)?.get(seq),
        keep: (seq, text) => {
          // While it was written, others may have changed rows.
          if (now === state && isWanted()) add(kind, seq, text);
        },
      };
    },
  };
}
