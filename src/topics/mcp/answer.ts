import { successCode } from '../../core/errors/kinds.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { renderError } from '../../formats/error.js';
import { visibleJson } from '../../formats/escape.js';
import type { Sink } from '../../formats/streams.js';
import { isObject, orElse } from '../../core/values/value.js';
import { LineCutter } from './transport.js';

/** Of the answer, kept for what is not records: how it was cut, notes, an error. */
const restBytes = 2048;

/** A line that does not end is not kept beyond this. */
const mostLineBytes = 64 * 1024 * 1024;

const tooLong = `a record is longer than ${mostLineBytes} bytes`;

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** What a stream is that no person looks at. */
export const ofPrograms = { isTerminal: false, isPipe: true, width: undefined, hasColor: false } as const;

/** A printed line as JSON: the output of a command as text, such as the help of --columns, is a text. */
function asJson(line: string): string {
  const isJson = orElse(() => JSON.parse(line) !== undefined, false);
  return isJson ? line : visibleJson(JSON.stringify(line));
}

/** A record with so many items of its longest list as have room, and how many these are; undefined where there are none. */
function withShortenedList(line: string, room: number): Record<'text' | 'words', string> | undefined {
  const record: unknown = JSON.parse(line);
  const lists = Object.entries(isObject(record) ? record : {}).flatMap(([name, items]) =>
    Array.isArray(items) ? [{ name, items, length: JSON.stringify(items).length }] : [],
  );
  const [longest] = lists.sort((remaining, right) => right.length - remaining.length);
  if (longest === undefined) return undefined;
  const { name, items } = longest;
  const textWith = (some: readonly unknown[]): string =>
    visibleJson(JSON.stringify({ ...(record as object), [name]: some }));
  let left = room - bytesOf(textWith([]));
  const end = items.findIndex((item) => (left -= bytesOf(visibleJson(JSON.stringify(item))) + 1) < 0);
  const count = end === -1 ? items.length : end;
  return count === 0
    ? undefined
    : { text: textWith(items.slice(0, count)), words: `${name} has ${count} of ${items.length} items` };
}

/** How a tool ended: one JSON document, and whether it failed. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** Collects the records that a command prints, one a line, up to a number of bytes: each is whole or not there. */
export class Answer {
  readonly #room: number;
  readonly #maxBytes: number;
  readonly #full = new AbortController();
  readonly #lines: string[] = [];
  readonly #printed = new LineCutter(mostLineBytes);
  #bytes = 0;
  #cut: string | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#room = maxBytes - restBytes;
  }

  get full(): AbortSignal {
    return this.#full.signal;
  }

  get sink(): Sink {
    const take = (piece: string | Uint8Array): Promise<void> => {
      this.#take(typeof piece === 'string' ? Buffer.from(piece) : piece);
      return Promise.resolve();
    };
    return { write: take, writeBytes: take, ...ofPrograms };
  }

  #take(piece: Uint8Array): void {
    for (const line of this.#printed.take(piece)) {
      if (this.full.aborted) return;
      if (line === undefined) this.#end(tooLong);
      else this.#line(line.toString('utf8'));
    }
    if (this.#printed.isTooLong && !this.full.aborted) this.#end(tooLong);
  }

  #line(printed: string): void {
    if (printed === '') return;
    const line = asJson(printed);
    const remaining = this.#room - this.#bytes;
    if (bytesOf(line) + 1 <= remaining) {
      this.#add(line);
      return;
    }
    const short = this.#lines.length === 0 ? withShortenedList(line, remaining - 1) : undefined;
    if (short !== undefined) this.#add(short.text);
    const what =
      short?.words ?? `${this.#lines.length === 0 ? 'the first' : 'the next'} record has ${bytesOf(line)} bytes`;
    this.#end(what);
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#bytes += bytesOf(line) + 1;
  }

  #end(what: string): void {
    this.#cut = `cut at ${this.#maxBytes} bytes: ${what}; request less, with columns, a filter, a limit or a page`;
    this.#full.abort(
      new RelctlError('interrupted', 'the answer is full', { facts: { code: 'max-bytes', exitCode: successCode } }),
    );
  }

  /** Why a cut that left nothing is a failure. */
  #limitError(): RelctlError | undefined {
    if (this.#cut === undefined || this.#lines.length > 0) return undefined;
    return new RelctlError('partial', this.#cut, { facts: { code: 'max-bytes' }, hint: null });
  }

  /**
   * The answer as one JSON document: the records as they were printed, and with them how the answer was cut, notes, and the error.
   * @param failure why the command failed, if it did
   * @param how `hide` gives a text without secrets
   */
  end(
    failure: RelctlError | undefined,
    how: { notes: readonly string[]; isWrite: boolean; hide?: (text: string) => string },
  ): ToolAnswer {
    const { notes, isWrite, hide = (text) => text } = how;
    // A list that was stopped because nobody wants more did not fail. A write is never stopped, and is not undone by a long answer.
    const error = isWrite || this.#cut === undefined ? failure : this.#limitError();
    const isCut = this.#cut !== undefined && error?.facts.code !== 'max-bytes';
    const head = {
      count: this.#lines.length,
      cut: isCut ? this.#cut : undefined,
      notes: notes.length === 0 ? undefined : boundedNotes(notes),
      error: error === undefined ? undefined : errorAsJson(error, this.#maxBytes - this.#bytes),
    };
    const text = hide(visibleJson(JSON.stringify(head))).slice(0, -1);
    return { text: `${text},"records":[${this.#lines.join(',')}]}`, isError: error !== undefined };
  }
}

const mostNotes = 8;
const mostLetters = 150;
const mostNoteBytes = 1200;

function boundedNotes(notes: readonly string[]): readonly string[] {
  const short: string[] = [];
  let remaining = mostNoteBytes;
  for (const note of notes.slice(0, mostNotes)) {
    const cut = note.length > mostLetters ? `${note.slice(0, mostLetters)}…` : note;
    remaining -= bytesOf(visibleJson(JSON.stringify(cut)));
    if (remaining < 0) break;
    short.push(cut);
  }
  const more = notes.length - short.length;
  return more > 0 ? [...short, `and ${more} more notes`] : short;
}

function errorAsJson(error: RelctlError, room: number): unknown {
  const render = (each: RelctlError): string => renderError(each, { shape: 'json', debug: false });
  const text = render(error);
  const fitting = bytesOf(text) <= room ? text : render(error.but({ data: undefined, excerpt: undefined }));
  return (JSON.parse(fitting) as { readonly error: unknown }).error;
}
