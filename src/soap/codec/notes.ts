import { forMessage } from '../../core/text/text.js';
import { defined, type Value } from '../../core/values/value.js';
import { RelctlError } from '../../core/errors/relctl-error.js';

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

/** Where something is, looked at only when it is too much. */
export interface Located {
  readonly path: string;
}

const mostItems = 1_000_000;

/** Elements of an answer that its contract does not describe: each takes as much memory as a row of text. */
const mostUnknown = 250_000;

/** Of these a record may have so many that are not counted: a service that is newer than its contract has some in each row. */
const uncountedInRecord = 16;

/** All of these that are in memory, counted or not. */
const mostHeldUnknown = 1_000_000;

/** The `bad-answer` (answer-limit) for what takes too much memory. */
export function tooMuch(path: string, what: string, advice: string): RelctlError {
  return new RelctlError('bad-answer', `${path} ${what}`, { facts: { code: 'answer-limit', path }, advice });
}

/** Adds an item to a list. Whether pages make an answer smaller is known to who asks for them. Throws `bad-answer` (answer-limit) when there are too many. */
export function addItem(items: Value[], item: Value, at: Located): void {
  if (items.length >= mostItems)
    throw tooMuch(
      at.path,
      `has more than ${mostItems} items in one answer`,
      'An answer with fewer of them can be read: ask for less by the parameters of the operation.',
    );
  items.push(item);
}

/** Counts elements of an answer that its contract does not describe. */
export class UnknownElements {
  #count = 0;
  #held = 0;
  #heldBeforeRow = 0;

  /** A record of the contract begins. */
  record(): void {
    this.#count = Math.max(0, this.#count - uncountedInRecord);
  }

  /** A row of the list that is wanted begins. */
  row(): void {
    this.#heldBeforeRow = this.#held;
  }

  /** The row that a record became: of one that became something else nothing is left. */
  boundRow(record: Value, row: Value): Value {
    if (row !== record) this.#held = this.#heldBeforeRow;
    return row;
  }

  /** One of them is there. Throws `bad-answer` (answer-limit) when there are too many. */
  add(at: Located): void {
    this.#count += 1;
    this.#held += 1;
    if (this.#count <= mostUnknown && this.#held <= mostHeldUnknown) return;
    const most = this.#count > mostUnknown ? mostUnknown : mostHeldUnknown;
    throw tooMuch(
      at.path,
      `is one of more than ${most} elements that the contract does not describe`,
      'The contract of the answer may be another one: `relctl operations import` takes that of the service.',
    );
  }
}
