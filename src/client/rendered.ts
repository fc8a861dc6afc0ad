import type { RecordValue, Value } from '../plain/value.js';
import type { ByteMember, Rows, TakeBytes } from '../soap/codec/decode-bytes.js';
import { ShownRecords } from '../soap/wire/room.js';
import { guidOfWords, guidWords, isFree, readGuidBytes } from './ids/guid-table.js';
import { contentWords, hashContent, hashContentBytes, type ContentRoom } from './content-hash.js';

/** Bytes that a page is given room for at first; most pages of 1,000 rows need less. */
const usualBytes = 256 * 1024;
const usualRows = 1024;
/**
 * A page that is longer gets room for the longest ones at once: to grow twofold, both of its copies would be in memory. The
 * system gives of it what is written to.
 */
const longBytes = 16 * 1024 * 1024;
const longestBytes = 256 * 1024 * 1024;

const guidLength = 36;

/** A part of some bytes. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What a row whose text was written into a page holds. */
interface Written {
  /** Bytes of its content. */
  readonly length: number;
  /** Where its Id stands in the content. */
  readonly id: Stretch;
  /** The record, where the page asked for it. */
  readonly record?: RecordValue | undefined;
}

/** Pages that are kept to be filled again. More are not under way at once. */
const mostSpare = 16;

/** The text of the rows of one answer, one after the other, and the hashes of their contents. */
export class RenderedPage {
  #bytes = Buffer.allocUnsafeSlow(usualBytes);
  /** Index behind each row. */
  #ends = new Uint32Array(usualRows);
  #contents = new Uint32Array(usualRows * contentWords);
  /** The Ids of rows that are told as words. */
  #ids = new Uint32Array(usualRows * guidWords);
  #rows = 0;
  #length = 0;
  #shown = new ShownRecords();

  /** Adds a row with its text; gives what stands for the record. */
  add(record: RecordValue, id: string, text: string): RecordValue {
    // A unit is at most three bytes of UTF-8; of a long text most are not needed.
    const most = text.length < usualBytes ? text.length * 3 : Buffer.byteLength(text, 'utf8');
    const written = this.roomFor(this.#length + most).write(text, this.#length, 'utf8');
    const row = this.#close(this.#length + written);
    hashContent(record, this.#contents, row * contentWords);
    const bytes = Buffer.from(id, 'utf8');
    const isKept = this.#keepId(row, bytes, { from: 0, to: bytes.length });
    // A copy: a part of the text of the answer would keep all of it in memory.
    return this.#withRecord(new RenderedRow(this, row, isKept ? undefined : ` ${id}`.slice(1)), record);
  }

  /** True for the first rows of an answer: their records are kept, because the error of a refusal behind them shows them. */
  get asksForRecord(): boolean {
    return !this.#shown.isFull;
  }

  #withRecord(row: RenderedRow, record: RecordValue | undefined): RecordValue {
    if (record !== undefined && this.asksForRecord) {
      this.#shown.add(record);
      row.record = record;
    }
    return asRecord(row);
  }

  /** Where the next row begins. */
  get length(): number {
    return this.#length;
  }

  /** The bytes of the page, with room up to an index. */
  roomFor(end: number): Buffer {
    if (end > this.#bytes.length) this.#growBytes(end);
    return this.#bytes;
  }

  /**
   * Adds a row whose text was written into the bytes, up to `end`, and whose Id stands in its content; gives the row.
   * @param content what it holds, as hashContentBytes takes it
   */
  addWritten(end: number, content: ContentRoom, { length, id, record }: Written): RecordValue {
    const row = this.#close(end);
    hashContentBytes(content, length, { into: this.#contents, at: row * contentWords });
    const isKept = this.#keepId(row, content.bytes, id);
    const text = isKept ? undefined : content.bytes.toString('utf8', id.from, id.to);
    return this.#withRecord(new RenderedRow(this, row, text), record);
  }

  /** Keeps the words of an Id that is a GUID in lower case; false for any other. */
  #keepId(row: number, bytes: Uint8Array, { from, to }: Stretch): boolean {
    const id = { words: this.#ids, at: row * guidWords };
    return to - from === guidLength && readGuidBytes(bytes, from, id) && !isFree(id.words, id.at);
  }

  /** The words of the Ids of all rows that are told so. */
  get ids(): Uint32Array {
    return this.#ids;
  }

  /** The hashes of the contents of some rows. */
  contentsOf(from: number, to: number): Uint32Array {
    return this.#contents.subarray(from * contentWords, to * contentWords);
  }

  #close(end: number): number {
    const row = this.#rows;
    if (row === this.#ends.length) this.#growRows();
    this.#length = end;
    this.#ends[row] = end;
    this.#rows += 1;
    return row;
  }

  /** The text of some rows, in UTF-8. The bytes are those of the page until it is cleared. */
  textOf(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(this.#endBefore(from), this.#endBefore(to));
  }

  /** Index behind the row before a row. */
  #endBefore(row: number): number {
    return row === 0 ? 0 : (this.#ends[row - 1] ?? 0);
  }

  /** True when some rows have no text. */
  isBlank(from: number, to: number): boolean {
    return this.#endBefore(from) === this.#endBefore(to);
  }

  /** Writes the hash of what a row held, two words, to `into`. */
  contentOf(row: number, into: Uint32Array, at: number): void {
    for (let word = 0; word < contentWords; word += 1) into[at + word] = this.#contents[row * contentWords + word] ?? 0;
  }

  clear(): void {
    this.#rows = 0;
    this.#length = 0;
    this.#shown = new ShownRecords();
  }

  #growBytes(least: number): void {
    const { length } = this.#bytes;
    const isLong = length >= longBytes && length < longestBytes;
    const larger = Buffer.allocUnsafeSlow(Math.max(least, isLong ? longestBytes : length * 2));
    // All of it: a row may be begun behind the last one.
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }

  #growRows(): void {
    this.#ends = doubled(this.#ends);
    this.#contents = doubled(this.#contents);
    this.#ids = doubled(this.#ids);
  }
}

function doubled(words: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(words.length * 2);
  larger.set(words);
  return larger;
}

/** Where the text of a row is. */
export interface Place {
  readonly page: RenderedPage;
  readonly row: number;
  /** Its Id; undefined when that is a GUID in lower case, whose words the page has. */
  readonly id: string | undefined;
}

/** What is left of a record that was rendered: its Id, and where its text is. */
class RenderedRow implements Place {
  readonly page: RenderedPage;
  readonly row: number;
  readonly id: string | undefined;
  /** The record, of the first rows of an answer. */
  record: RecordValue | undefined = undefined;

  constructor(page: RenderedPage, row: number, id: string | undefined) {
    this.page = page;
    this.row = row;
    this.id = id;
  }

  get Id(): string {
    return this.id ?? guidOfWords(this.page.ids, this.row * guidWords);
  }
}

/** To all code but that of exports it is a record with an Id. */
const asRecord = (row: RenderedRow): RecordValue => row as unknown as RecordValue;

/** Where the text of a record is that was rendered when it was decoded; undefined for any other record. */
export const placeOf = (record: RecordValue): Place | undefined => (record instanceof RenderedRow ? record : undefined);

/** What a row was made of, any other value as it is; undefined for a row whose record was not kept. */
const shownOf = (value: Value): Value | undefined => (value instanceof RenderedRow ? value.record : value);

/** True for a record that was rendered as no text: it is not written. */
export function isBlank(record: RecordValue): boolean {
  const place = placeOf(record);
  return place?.page.isBlank(place.row, place.row + 1) === true;
}

/** Writes the hash of what a record holds, or held, to `into` from index `at`, as hashContent does. */
export function writeContent(record: RecordValue, into: Uint32Array, at: number): void {
  const rendered = placeOf(record);
  if (rendered === undefined) hashContent(record, into, at);
  else rendered.page.contentOf(rendered.row, into, at);
}

/** The page whose rows, from some row on, these records are, one after the other; undefined for others. */
function pageOf(records: readonly RecordValue[]): Place | undefined {
  const first = records[0] && placeOf(records[0]);
  if (first === undefined) return undefined;
  const { page, row } = first;
  const isNext = (record: RecordValue, index: number): boolean => {
    const at = placeOf(record);
    return at?.page === page && at.row === row + index;
  };
  return records.every(isNext) ? first : undefined;
}

/** The hashes of records, side by side. */
export function contentsOf(records: readonly RecordValue[]): Uint32Array {
  const first = pageOf(records);
  if (first !== undefined) return first.page.contentsOf(first.row, first.row + records.length).slice();
  const hashes = new Uint32Array(records.length * contentWords);
  for (const [index, record] of records.entries()) writeContent(record, hashes, index * contentWords);
  return hashes;
}

/** The words of the Ids of records that follow each other on a rendered page; undefined when one has none. */
export function idWordsOf(records: readonly RecordValue[]): Uint32Array | undefined {
  const first = pageOf(records);
  if (first === undefined || records.some((record) => placeOf(record)?.id !== undefined)) return undefined;
  return first.page.ids.slice(first.row * guidWords, (first.row + records.length) * guidWords);
}

/** How records are rendered. */
export interface Rendering {
  /** Makes the text of a record, without its neighbours; undefined for one that must be written as a record. */
  readonly text: (record: RecordValue) => string | undefined;
  /** Records without an Id are rendered too: nobody asks for it. */
  readonly mayLackId?: boolean;
  /** Makes what writes records with these members to a page, from their bytes; undefined where `text` is needed. */
  readonly bytes?: (members: readonly ByteMember[]) => ((page: RenderedPage) => TakeBytes) | undefined;
}

/** Renders the records of lists while they are decoded, so that nothing else of them stays in memory. */
export class Renderer {
  readonly #rendering: Rendering;
  readonly #spare: RenderedPage[] = [];

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
  }

  /** What becomes of the records of one answer. */
  page(): Omit<Rows, 'member'> {
    const page = this.#spare.pop() ?? new RenderedPage();
    const { text: textOf, bytes, mayLackId = false } = this.#rendering;
    return {
      shown: shownOf,
      of(record): Value {
        const { Id } = record;
        const id = typeof Id === 'string' ? Id : undefined;
        const text = id === undefined && !mayLackId ? undefined : textOf(record);
        return text === undefined ? record : page.add(record, id ?? '', text);
      },
      ...(bytes === undefined ? {} : { bytes: (members) => bytes(members)?.(page) }),
    };
  }

  /** Takes back the pages of records of which nothing is needed any more. */
  releaseAll(records: readonly RecordValue[]): void {
    for (const page of new Set(records.map((record) => placeOf(record)?.page)))
      if (page !== undefined) this.release(page);
  }

  /** Takes back a page of which nothing is needed any more. */
  release(page: RenderedPage): void {
    if (this.#spare.length >= mostSpare) return;
    page.clear();
    this.#spare.push(page);
  }
}
