import type { RecordValue, Value } from '../plain/value.js';
import { contentWords, hashContent } from './content-hash.js';

/** Bytes that a page is given room for at first; most pages of 1,000 rows need less. */
const usualBytes = 256 * 1024;
const usualRows = 1024;

/** Pages that are kept to be filled again. More are not under way at once. */
const mostSpare = 16;

/** The text of the rows of one answer, one after the other, and the hashes of their contents. */
export class RenderedPage {
  #bytes = Buffer.allocUnsafeSlow(usualBytes);
  /** Index behind each row. */
  #ends = new Uint32Array(usualRows);
  #contents = new Uint32Array(usualRows * contentWords);
  #rows = 0;
  #length = 0;

  /** Adds a row; gives its index. */
  add(record: RecordValue, text: string): number {
    const row = this.#rows;
    // A character is at most three bytes of UTF-8 for each unit.
    if (this.#length + text.length * 3 > this.#bytes.length) this.#growBytes(this.#length + text.length * 3);
    if (row === this.#ends.length) this.#growRows();
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
    this.#ends[row] = this.#length;
    hashContent(record, this.#contents, row * contentWords);
    this.#rows += 1;
    return row;
  }

  /** The text of some rows, in UTF-8. The bytes are those of the page until it is cleared. */
  textOf(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(from === 0 ? 0 : this.#ends[from - 1], to === 0 ? 0 : this.#ends[to - 1]);
  }

  /** Writes the hash of what a row held, two words, to `into`. */
  contentOf(row: number, into: Uint32Array, at: number): void {
    for (let word = 0; word < contentWords; word += 1) into[at + word] = this.#contents[row * contentWords + word] ?? 0;
  }

  clear(): void {
    this.#rows = 0;
    this.#length = 0;
  }

  #growBytes(least: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(least, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  #growRows(): void {
    const [ends, contents] = [this.#ends, this.#contents];
    this.#ends = new Uint32Array(ends.length * 2);
    this.#ends.set(ends);
    this.#contents = new Uint32Array(contents.length * 2);
    this.#contents.set(contents);
  }
}

/** Where the text of a row is. */
export interface Place {
  readonly page: RenderedPage;
  readonly row: number;
}

const place = Symbol('place');

/** What is left of a record that was rendered: its Id, and where its text is. */
class RenderedRow {
  readonly Id: string;
  readonly [place]: Place;

  constructor(id: string, at: Place) {
    // A copy: a part of the text of the answer would keep all of it in memory.
    this.Id = ` ${id}`.slice(1);
    this[place] = at;
  }
}

/** Where the text of a record is that was rendered when it was decoded; undefined for any other record. */
export const placeOf = (record: RecordValue): Place | undefined =>
  record instanceof RenderedRow ? record[place] : undefined;

/** Writes the hash of what a record holds, or held, to `into` from index `at`, as hashContent does. */
export function writeContent(record: RecordValue, into: Uint32Array, at: number): void {
  const rendered = placeOf(record);
  if (rendered === undefined) hashContent(record, into, at);
  else rendered.page.contentOf(rendered.row, into, at);
}

/** The hashes of records, side by side. */
export function contentsOf(records: readonly RecordValue[]): Uint32Array {
  const hashes = new Uint32Array(records.length * contentWords);
  for (const [index, record] of records.entries()) writeContent(record, hashes, index * contentWords);
  return hashes;
}

/** Makes the text of a record, without its neighbours; undefined for one that must be written as a record. */
export type RenderRow = (record: RecordValue) => string | undefined;

/** Renders the records of lists while they are decoded, so that nothing else of them stays in memory. */
export class Renderer {
  readonly #render: RenderRow;
  readonly #spare: RenderedPage[] = [];

  constructor(render: RenderRow) {
    this.#render = render;
  }

  /** What becomes of each record of one answer. */
  page(): (record: RecordValue) => Value {
    const page = this.#spare.pop() ?? new RenderedPage();
    return (record) => {
      const { Id } = record;
      const text = typeof Id === 'string' ? this.#render(record) : undefined;
      if (typeof Id !== 'string' || text === undefined) return record;
      // To all code but that of exports it is a record with an Id.
      return new RenderedRow(Id, { page, row: page.add(record, text) }) as unknown as RecordValue;
    };
  }

  /** Takes back a page of which nothing is needed any more. */
  release(page: RenderedPage): void {
    if (this.#spare.length >= mostSpare) return;
    page.clear();
    this.#spare.push(page);
  }
}
