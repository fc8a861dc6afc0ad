import { RelctlError } from '../../core/errors/relctl-error.js';
import { renderError } from '../../formats/error.js';
import { visibleJson } from '../../formats/escape.js';
import type { Sink } from '../../formats/streams.js';
import { orElse } from '../../core/values/value.js';

/** Of the answer, kept for what is not records: how it was cut, notes, an error. */
const restBytes = 2048;

/** A line that does not end is not kept beyond this. */
const mostLineBytes = 64 * 1024 * 1024;

const newline = 0x0a;

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** A printed line as JSON: what a command prints as text, such as the help of --columns, is a text. */
function asJson(line: string): string {
  const isJson = orElse(() => JSON.parse(line) !== undefined, false);
  return isJson ? line : visibleJson(JSON.stringify(line));
}

function longestList(record: Readonly<Record<string, unknown>>): readonly [string, readonly unknown[]] | undefined {
  const lists = Object.entries(record).flatMap(([name, value]) =>
    Array.isArray(value) ? [[name, value as readonly unknown[], JSON.stringify(value).length] as const] : [],
  );
  const [longest] = lists.sort(([, , a], [, , b]) => b - a);
  return longest === undefined ? undefined : [longest[0], longest[1]];
}

function withShortenedList(line: string, room: number): Record<'text' | 'words', string> | undefined {
  const record = JSON.parse(line) as unknown;
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return undefined;
  const found = longestList(record as Readonly<Record<string, unknown>>);
  if (found === undefined) return undefined;
  const [name, items] = found;
  const textWith = (some: readonly unknown[]): string => visibleJson(JSON.stringify({ ...record, [name]: some }));
  let left = room - bytesOf(textWith([]));
  let count = 0;
  for (const item of items) {
    left -= bytesOf(visibleJson(JSON.stringify(item))) + 1;
    if (left < 0) break;
    count += 1;
  }
  return count === 0
    ? undefined
    : { text: textWith(items.slice(0, count)), words: `${name} has ${count} of ${items.length} items` };
}

/** How a tool ended: one JSON document, and whether it failed. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

interface EndOfCommand {
  readonly notes: readonly string[];
  readonly isWrite: boolean;
  /** A text without secrets. */
  readonly hide?: (text: string) => string;
}

/** Collects the records that a command prints, one a line, up to a number of bytes: each is whole or not there. */
export class Answer {
  readonly #room: number;
  readonly #maxBytes: number;
  readonly #full = new AbortController();
  readonly #lines: string[] = [];
  #bytes = 0;
  #begun: Uint8Array[] = [];
  #begunBytes = 0;
  #cut: string | undefined;

  /** @param maxBytes how long the whole answer may be */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#room = maxBytes - restBytes;
  }

  /** Aborted when no more records have room. */
  get full(): AbortSignal {
    return this.#full.signal;
  }

  /** Where the command prints. */
  get sink(): Sink {
    const take = (piece: string | Uint8Array): Promise<void> => {
      this.#take(typeof piece === 'string' ? Buffer.from(piece) : piece);
      return Promise.resolve();
    };
    return { write: take, writeBytes: take, isTerminal: false, isPipe: true, width: undefined, hasColor: false };
  }

  #take(piece: Uint8Array): void {
    let from = 0;
    for (let to = piece.indexOf(newline); to !== -1 && this.#cut === undefined; to = piece.indexOf(newline, from)) {
      this.#store(piece.subarray(from, to));
      this.#line(Buffer.concat(this.#begun).toString('utf8'));
      this.#begun = [];
      this.#begunBytes = 0;
      from = to + 1;
    }
    if (this.#cut === undefined) this.#store(piece.subarray(from));
  }

  #store(bytes: Uint8Array): void {
    this.#begunBytes += bytes.length;
    if (this.#begunBytes > mostLineBytes) this.#end(`a record is longer than ${mostLineBytes} bytes`);
    // The writer may use its bytes again.
    else if (bytes.length > 0) this.#begun.push(Uint8Array.from(bytes));
  }

  #line(printed: string): void {
    if (printed === '') return;
    const line = asJson(printed);
    const left = this.#room - this.#bytes;
    if (bytesOf(line) + 1 <= left) {
      this.#add(line);
      return;
    }
    const short = this.#lines.length === 0 ? withShortenedList(line, left - 1) : undefined;
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
    this.#cut = `cut at ${this.#maxBytes} bytes: ${what}; ask for less, by columns, a filter, a limit or a page`;
    this.#full.abort(
      new RelctlError('interrupted', 'the answer is full', { facts: { code: 'max-bytes', exitCode: 0 } }),
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
   */
  end(failure: RelctlError | undefined, { notes, isWrite, hide = (text) => text }: EndOfCommand): ToolAnswer {
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
  let left = mostNoteBytes;
  for (const note of notes.slice(0, mostNotes)) {
    const told = note.length > mostLetters ? `${note.slice(0, mostLetters)}…` : note;
    left -= bytesOf(visibleJson(JSON.stringify(told)));
    if (left < 0) break;
    short.push(told);
  }
  const more = notes.length - short.length;
  return more > 0 ? [...short, `and ${more} more notes`] : short;
}

function errorAsJson(error: RelctlError, room: number): unknown {
  const shown = (each: RelctlError): string => renderError(each, { shape: 'json', debug: false });
  const text = shown(error);
  const fitting = bytesOf(text) <= room ? text : shown(error.but({ data: undefined, excerpt: undefined }));
  return (JSON.parse(fitting) as { readonly error: unknown }).error;
}
