import { RelctlError } from '../../core/errors/relctl-error.js';
import type { OpenOverflow, OverflowFile } from '../ids/id-set.js';

/** A member that a record gets in front of its own. */
interface Lead {
  readonly name: string;
  readonly value: string;
}

/** Leads of the rows of a page. There are few different ones, and an object for each row of a long list takes memory. */
export class Leads {
  /** The different ones; rows have their numbers, from 1. */
  #leads: Lead[] = [];
  #numbers: Uint32Array = new Uint32Array();

  put(row: number, { name, value }: Lead): void {
    this.#numbers = withRoom(this.#numbers, row + 1);
    const isSame = (lead: Lead): boolean => lead.name === name && lead.value === value;
    const known = this.#leads.findIndex(isSame);
    this.#numbers[row] = known === -1 ? this.#leads.push({ name, value }) : known + 1;
  }

  /** The lead of a row; undefined where it has none. */
  of(row: number): Lead | undefined {
    return this.#leads[(this.#numbers[row] ?? 0) - 1];
  }

  clear(): void {
    if (this.#leads.length === 0) return;
    this.#leads = [];
    this.#numbers.fill(0);
  }
}

/** Words that rows are given room for at first; most pages have no more than 1,000 rows. */
export const usualRows = 1024;

/** The same words, with room for at least so many, and for twice as many when there is too little. */
export function withRoom(words: Uint32Array, count: number): Uint32Array {
  if (count <= words.length) return words;
  const larger = new Uint32Array(Math.max(usualRows, words.length * 2, count));
  larger.set(words);
  return larger;
}

/** A text for some rows of a page, such as an Id that is not a GUID. Nothing is kept until the first row has one. */
export class RowTexts {
  readonly #openFile: OpenOverflow | undefined;
  #text: PageText | undefined;
  #ends: Uint32Array = new Uint32Array();
  /** Rows up to the last one that has a text. */
  #rows = 0;

  constructor(openFile: OpenOverflow | undefined) {
    this.#openFile = openFile;
  }

  /** Keeps the text of a row, which stands behind all that have one. */
  store(row: number, text: string): void {
    if (text === '') return;
    this.#text ??= new PageText(this.#openFile);
    this.#ends = withRoom(this.#ends, row + 1);
    this.#ends.fill(this.#endBefore(this.#rows), this.#rows, row);
    this.#ends[row] = this.#text.add(text);
    this.#rows = row + 1;
  }

  /** The text of a row; empty where it has none. Throws `local`. */
  of(row: number): string {
    if (row >= this.#rows || this.#text === undefined) return '';
    return this.#text.textOf(this.#endBefore(row), this.#endBefore(row + 1));
  }

  clear(): void {
    this.#rows = 0;
    this.#text?.clear();
  }

  #endBefore(row: number): number {
    return row === 0 ? 0 : (this.#ends[row - 1] ?? 0);
  }
}

/** Bytes that there is room for at first; most pages of 1,000 rows need less. */
const usualBytes = 256 * 1024;
/** A text that is longer gets room for the longest ones at once: to grow twofold, both of its copies would be in memory. */
const longBytes = 8 * 1024 * 1024;
/** Rows of so many bytes are moved to a file; what is behind them has as much room again. */
const mostHeld = 16 * 1024 * 1024;
const longestBytes = 2 * mostHeld;

const pieceBytes = 1024 * 1024;

/**
 * The text of the rows of one answer, one row after the other: in memory, and what is longer in a file but for its end. Where
 * that file cannot be written, all is in memory. What is in it is known by its place from the beginning.
 */
export class PageText {
  #openFile: OpenOverflow | undefined;
  #bytes = Buffer.allocUnsafeSlow(usualBytes);
  #length = 0;
  #file: OverflowFile | undefined;
  #moved = 0;

  constructor(openFile: OpenOverflow | undefined) {
    this.#openFile = openFile;
  }

  /** Writes a row behind the others; gives the place behind it. */
  add(text: string): number {
    // A unit is at most three bytes of UTF-8; of a long text most are not needed.
    const most = text.length < usualBytes ? text.length * 3 : Buffer.byteLength(text, 'utf8');
    this.#makeRoom(most);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
    return this.#end();
  }

  /** Writes the text of rows behind the others; gives the place before it. */
  addBytes(text: Uint8Array): number {
    this.#makeRoom(text.length);
    this.#bytes.set(text, this.#length);
    this.#length += text.length;
    return this.#end() - text.length;
  }

  /** Room for so many bytes behind the others. */
  #makeRoom(bytes: number): void {
    if (this.#length + bytes > longestBytes) this.#move();
    const end = this.#length + bytes;
    if (end > this.#bytes.length) this.#grow(end);
  }

  /** Ends what was written; gives the place behind it. */
  #end(): number {
    if (this.#length >= mostHeld) this.#move();
    return this.#moved + this.#length;
  }

  /** A part of the text, in one piece at least, each of which is valid until the next one is asked for. Throws `local`. */
  *piecesOf(from: number, to: number): Generator<Uint8Array> {
    const moved = this.#moved;
    const inFile = Math.min(to, moved);
    const bytes = from < inFile ? Buffer.allocUnsafeSlow(Math.min(pieceBytes, inFile - from)) : undefined;
    for (let at = from; bytes !== undefined && at < inFile;) {
      const piece = bytes.subarray(0, inFile - at);
      this.#file?.read(piece, at);
      yield piece;
      at += piece.length;
    }
    if (to > moved || from === to) yield this.#bytes.subarray(Math.max(0, from - moved), Math.max(0, to - moved));
  }

  textOf(from: number, to: number): string {
    const moved = this.#moved;
    if (from >= moved) return this.#bytes.toString('utf8', from - moved, to - moved);
    const row = Buffer.allocUnsafeSlow(to - from);
    this.#file?.read(row, from);
    return row.toString('utf8');
  }

  clear(): void {
    this.#length = 0;
    this.#moved = 0;
    this.#file?.close();
    this.#file = undefined;
  }

  #grow(least: number): void {
    const { length } = this.#bytes;
    const isLong = length >= longBytes && length < longestBytes;
    const larger = Buffer.allocUnsafeSlow(Math.max(least, isLong ? longestBytes : length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  #move(): void {
    if (this.#length === 0 || !this.#written(this.#bytes.subarray(0, this.#length))) return;
    this.#moved += this.#length;
    this.#length = 0;
    if (this.#bytes.length > longestBytes) this.#bytes = Buffer.allocUnsafeSlow(longBytes);
  }

  /** Writes behind what is in the file; false where that fails, and it is not tried again. */
  #written(bytes: Uint8Array): boolean {
    if (this.#openFile === undefined) return false;
    try {
      this.#file ??= this.#openFile();
      this.#file.write(bytes, this.#moved);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof RelctlError) || thrown.kind !== 'local') throw thrown;
      this.#openFile = undefined;
      return false;
    }
  }
}
