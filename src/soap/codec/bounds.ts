import type { Value } from '../../core/values/value.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { append } from '../../core/text/text.js';

/** Longest text of one value that is kept in memory, in UTF-16 units. A file of any size goes past it, to its sink. */
const longestText = 16 * 1024 * 1024;

const mostItems = 1_000_000;

/** Elements of an answer that its contract does not describe: each takes as much memory as a row of text. */
const mostUnknown = 250_000;

/** Of these a record may have so many that are not counted: a service that is newer than its contract has some in each row. */
const uncountedInRecord = 16;

/** All of these that are in memory, counted or not. */
const mostHeldUnknown = 1_000_000;

function tooMuch(path: string, what: string, advice: string): RelctlError {
  return new RelctlError('bad-answer', `${path} ${what}`, { facts: { code: 'answer-limit', path }, advice });
}

function tooLong(pathOf: () => string): RelctlError {
  return tooMuch(
    pathOf(),
    `has more than ${longestText} characters`,
    'No value of an answer may be longer, but the content of a file: `attachment get ID --output-dir .` saves one of any size.',
  );
}

/** Most characters of all texts of an item of the outermost list, as a row of an input file may have. */
const longestRow = 32 * 1024 * 1024;

const mostShown = 80;

const pieceLength = 256 * 1024;

/** The text of the element that is being read. A long one is kept in pieces, which are put together once. */
export class ElementText {
  #before = '';
  #last = '';
  #row: number | undefined;

  get isEmpty(): boolean {
    return this.#last === '' && this.#before === '';
  }

  clear(): void {
    this.#before = '';
    this.#last = '';
  }

  beginRow(): void {
    this.#row = 0;
  }

  /** A text around elements with what follows it. Throws as `add` does. */
  within(text: string, more: string, pathOf: () => string): string {
    this.#count(more, pathOf);
    if (text.length + more.length > longestText) throw tooLong(pathOf);
    return text === '' ? more : append(text, more);
  }

  /** Adds what follows. Throws `bad-answer` (answer-limit) when the text, or its row, gets too long. */
  add(more: string, pathOf: () => string): void {
    this.#count(more, pathOf);
    if (this.#before.length + this.#last.length + more.length > longestText) throw tooLong(pathOf);
    this.#last = this.#last === '' ? more : append(this.#last, more);
    if (this.#last.length < pieceLength) return;
    this.#before += this.#last;
    this.#last = '';
  }

  /** Keeps how a text begins that goes elsewhere: whether there was any is asked later, and a note shows this. */
  begin(text: string): void {
    this.#last = text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
  }

  /** Gives all of it, and keeps nothing: as one text it is in memory for a second time. */
  take(): string {
    const text = this.#before === '' ? this.#last : this.#before + this.#last;
    this.clear();
    return text;
  }

  #count(text: string, pathOf: () => string): void {
    if (this.#row === undefined || (this.#row += text.length) <= longestRow) return;
    throw tooMuch(
      pathOf(),
      `is in a record of more than ${longestRow} characters`,
      'A record of a list may not be longer: ask for it alone, where the service has an operation for that.',
    );
  }
}

/** Adds an item to a list. Whether pages make an answer smaller is known to who asks for them. Throws `bad-answer` (answer-limit) when there are too many. */
export function addItem(items: Value[], item: Value, pathOf: () => string): void {
  if (items.length >= mostItems)
    throw tooMuch(
      pathOf(),
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
  add(pathOf: () => string): void {
    this.#count += 1;
    this.#held += 1;
    if (this.#count <= mostUnknown && this.#held <= mostHeldUnknown) return;
    const most = this.#count > mostUnknown ? mostUnknown : mostHeldUnknown;
    throw tooMuch(
      pathOf(),
      `is one of more than ${most} elements that the contract does not describe`,
      'The contract of the answer may be another one: `relctl operations import` takes that of the service.',
    );
  }
}
