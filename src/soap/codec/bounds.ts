import type { Value } from '../../core/values/value.js';
import { RelctlError } from '../../core/errors/relctl-error.js';

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
