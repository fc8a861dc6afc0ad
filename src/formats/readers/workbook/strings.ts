import { badAnswer, type RelctlError } from '../../../core/errors/relctl-error.js';
import { append } from '../../../core/text/text.js';
import type { XmlEvents } from '../../../xml/events.js';
import { readWholePart, type PartSource } from './zip.js';

const escape = /_x([0-9A-Fa-f]{4})_/g;

/** A text of a workbook, in which `_x000D_` stands for a character that XML cannot carry. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(escape, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Characters of a row, and so of a cell: as many as a row of separated values may have. */
export const mostText = 2 ** 25;

/** What is thrown for a row of more. */
export const tooLong = (): RelctlError => badAnswer('limit', `a row has more than ${mostText} characters`);

/** Gathers the text of the elements `t`, but for how Japanese is read aloud. */
export class TextGatherer {
  #text = '';
  #isText = false;
  #aloud = 0;

  open(name: string): void {
    if (name === 'rPh') this.#aloud += 1;
    this.#isText = name === 't' && this.#aloud === 0;
  }

  /** Throws `bad-answer` when the text is longer than a row may be. */
  add(text: string): void {
    if (!this.#isText) return;
    this.#text = append(this.#text, text);
    if (this.#text.length > mostText) throw tooLong();
  }

  close(name: string): void {
    if (name === 'rPh') this.#aloud -= 1;
    this.#isText = false;
  }

  /** The text that was gathered, as XML has it, which is forgotten. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

/** Bytes of all shared texts together: they are asked for in any order, so that all are in memory. */
const mostSharedBytes = 64 * 2 ** 20;

function grown<A extends Uint8Array | Float64Array>(array: A, make: (length: number) => A, more: number): A {
  const larger = make(array.length * 2 + more);
  larger.set(array);
  return larger;
}

/** Texts of more characters are kept as strings: they are few, and many cells of a row may have the same one. */
const mostPacked = 1024;

/** Texts by their number. As bytes in one piece: a string of its own for each of some millions takes several times as much. */
export class SharedTexts {
  readonly #long = new Map<number, string>();
  #longBytes = 0;
  #bytes = Buffer.alloc(0);
  #ends = new Float64Array(0);
  #count = 0;

  /** Adds the next text, as XML has it: with escapes, which may stand for half a character. Throws `bad-answer` when all are too long. */
  add(text: string): void {
    const start = this.#endOf(this.#count - 1);
    if (start + this.#longBytes + text.length > mostSharedBytes)
      throw badAnswer('limit', `the shared strings have more than ${mostSharedBytes / 2 ** 20} MiB`);
    const isLong = text.length > mostPacked;
    if (isLong) {
      this.#longBytes += Buffer.byteLength(text);
      this.#long.set(this.#count, unescaped(text));
    }
    this.#pack(isLong ? '' : text, start);
  }

  #pack(text: string, start: number): void {
    const most = start + text.length * 3;
    if (most > this.#bytes.length) this.#bytes = grown(this.#bytes, (length) => Buffer.alloc(length), most - start);
    if (this.#count === this.#ends.length) this.#ends = grown(this.#ends, (length) => new Float64Array(length), 64);
    this.#ends[this.#count] = start + this.#bytes.write(text, start);
    this.#count += 1;
  }

  /** The text with a number, from 0; undefined where there is none. */
  at(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return undefined;
    return this.#long.get(index) ?? unescaped(this.#bytes.toString('utf8', this.#endOf(index - 1), this.#endOf(index)));
  }

  #endOf(index: number): number {
    return this.#ends[index] ?? 0;
  }
}

/** The texts that cells of a workbook share. Throws `usage`. */
export function readStrings(source: PartSource, path: string | undefined): SharedTexts {
  const strings = new SharedTexts();
  if (path === undefined) return strings;
  const gatherer = new TextGatherer();
  const events: XmlEvents = {
    open: ({ local }) => gatherer.open(local),
    text: (text) => gatherer.add(text),
    close({ local }) {
      gatherer.close(local);
      if (local === 'si') strings.add(gatherer.take());
    },
  };
  readWholePart(source, path, events);
  return strings;
}
