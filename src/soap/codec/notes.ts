import { forMessage } from '../../core/text/text.js';
import { defined } from '../../core/values/value.js';

/** Something odd in an answer that did not stop it: shown as a warning, counted once. */
export interface Note {
  readonly kind:
    | 'missing-field'
    | 'unknown-field'
    | 'bad-value'
    | 'unexpected-elements'
    | 'stray-text'
    | 'other-item'
    | 'out-of-order'
    | 'control-character'
    | 'content-type'
    | 'content-encoding'
    | 'leading-space'
    | 'differing-encodings'
    | 'missing-list'
    | 'late-nil'
    | 'no-rows'
    | 'message';
  /** Where, without list positions: `Relations.PvRelationData.Id`. */
  readonly path: string;
  readonly value?: string;
  readonly count: number;
}

/** Collects the notes of one answer. */
export interface NoteCollector {
  add(kind: Note['kind'], path: string, value?: string): void;
  /** What was added, in order of first sight. */
  all(): readonly Note[];
}

/** Characters of a value that are shown: more of a message, which is meant to be read. */
const noteCharacters = (kind: Note['kind']): number => (kind === 'message' ? 1000 : 80);

/** Limit of distinct notes: a hostile answer could have a new name for each element. */
const maxDistinct = 500;

/** A collector without notes; the same kind at the same path is counted, and its first value is kept. */
export function createNoteCollector(): NoteCollector {
  const notes = new Map<string, Note>();
  return {
    add(kind, path, value) {
      const key = `${kind} ${path}`;
      const known = notes.get(key);
      if (known !== undefined) notes.set(key, { ...known, count: known.count + 1 });
      else if (notes.size < maxDistinct)
        notes.set(key, {
          kind,
          path,
          ...defined({ value: value && forMessage(value, noteCharacters(kind)) }),
          count: 1,
        });
    },
    all: () => [...notes.values()],
  };
}
