import { charactersOf, type RecordValue } from '../../core/values/value.js';
import { Room } from '../../soap/wire/raw.js';
import type { OpenOverflow } from '../ids/overflow-guids.js';
import { guidOfWords, guidWords, isFree, readGuidBytes } from '../ids/guid-table.js';
import { contentWords, hashContent, hashContentBytes, type ContentRoom } from './content-hash.js';
import { Leads, RowTexts, usualRows, withRoom, PageText } from './page-text.js';

const guidLength = 36;

/** Room for as many records as the data of an error shows; these are masked later. */
const roomOfError = (): Room => new Room((text) => text);

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What a row whose text was written into a page holds. */
interface Written {
  readonly length: number;
  /** Where its Id stands in the content. */
  readonly id: Stretch;
  readonly record?: RecordValue | undefined;
}

type RowForm = Partial<Pick<RenderedPage, 'isJson' | 'hasKeys'>>;

/** The text of the rows of one answer, one after the other, and the hashes of their contents. */
export class RenderedPage {
  /** True where the text of a row is its record as JSON, to be read back: not what is written of it. */
  readonly isJson: boolean;
  /** True where its Ids are keys that a plan names, and not the members Id. */
  readonly hasKeys: boolean;
  readonly #text: PageText;
  #ends: Uint32Array = new Uint32Array(usualRows);
  #contents: Uint32Array = new Uint32Array(usualRows * contentWords);
  /** The Ids of rows that are told as words. */
  #ids: Uint32Array = new Uint32Array(usualRows * guidWords);
  /** Those of the others. */
  readonly #texts: RowTexts;
  /** Members that come first when rows are read back. */
  readonly leads = new Leads();
  #rows = 0;
  #shown = roomOfError();
  readonly #records = new Map<number, RecordValue>();

  constructor(openFile?: OpenOverflow, { isJson = false, hasKeys = false }: RowForm = {}) {
    this.#text = new PageText(openFile);
    this.#texts = new RowTexts(openFile);
    this.isJson = isJson;
    this.hasKeys = hasKeys;
  }

  /** Adds a row with its text; gives its number. */
  add(record: RecordValue, id: string, text: string): number {
    const row = this.#close(this.#text.add(text));
    hashContent(record, this.#contents, row * contentWords);
    const bytes = Buffer.from(id, 'utf8');
    if (!this.#storeWords(row, bytes, { from: 0, to: bytes.length })) this.#texts.store(row, id);
    return this.#storeFirst(row, record);
  }

  /** True for the first rows of an answer: their records are kept, because the error of a refusal behind them shows them. */
  get asksForRecord(): boolean {
    return !this.#shown.isFull;
  }

  #storeFirst(row: number, record: RecordValue | undefined): number {
    if (record !== undefined && this.asksForRecord) {
      this.#shown.take(charactersOf(record));
      this.#records.set(row, record);
    }
    return row;
  }

  recordOf(row: number): RecordValue | undefined {
    return this.#records.get(row);
  }

  /** Where the next row begins. */
  get length(): number {
    return this.#text.length;
  }

  /** The bytes that rows are written to, with room up to an index. They are others after each row. */
  roomFor(end: number): Buffer {
    return this.#text.roomFor(end);
  }

  /**
   * Adds a row whose text was written into the bytes, up to `end`, and whose Id stands in its content; gives its number.
   * @param content what it holds, as hashContentBytes takes it
   */
  addWritten(end: number, content: ContentRoom, { length, id, record }: Written): number {
    const row = this.#close(this.#text.end(end));
    hashContentBytes(content, length, { into: this.#contents, at: row * contentWords });
    if (!this.#storeWords(row, content.bytes, id))
      this.#texts.store(row, content.bytes.toString('utf8', id.from, id.to));
    return this.#storeFirst(row, record);
  }

  /** Keeps the words of an Id that is a GUID in lower case; false for any other. */
  #storeWords(row: number, bytes: Uint8Array, { from, to }: Stretch): boolean {
    const id = { words: this.#ids, at: row * guidWords };
    if (to - from === guidLength && readGuidBytes(bytes, from, id) && !isFree(id.words, id.at)) return true;
    this.#ids.fill(0, id.at, id.at + guidWords);
    return false;
  }

  hasIdWords(row: number): boolean {
    return !isFree(this.#ids, row * guidWords);
  }

  writeIdWords(row: number, into: Uint32Array): void {
    for (let word = 0; word < guidWords; word += 1) into[word] = this.#ids[row * guidWords + word] ?? 0;
  }

  /** The Id of a row; empty for a row without one. Throws `local`. */
  idOf(row: number): string {
    return this.hasIdWords(row) ? guidOfWords(this.#ids, row * guidWords) : this.#texts.of(row);
  }

  contentsOf(from: number, to: number): Uint32Array {
    return this.#contents.subarray(from * contentWords, to * contentWords);
  }

  #close(end: number): number {
    const row = this.#rows;
    if (row === this.#ends.length) this.#growRows();
    this.#ends[row] = end;
    this.#rows += 1;
    return row;
  }

  /**
   * The text of some rows, in UTF-8: one piece at least, and several of a long text. The bytes of a piece may be those of the
   * page, and are valid until the next one is asked for. Throws `local`.
   */
  piecesOf(from: number, to: number): Generator<Uint8Array> {
    return this.#text.piecesOf(this.#endBefore(from), this.#endBefore(to));
  }

  textOf(row: number): string {
    return this.#text.textOf(this.#endBefore(row), this.#endBefore(row + 1));
  }

  #endBefore(row: number): number {
    return row === 0 ? 0 : (this.#ends[row - 1] ?? 0);
  }

  isBlank(from: number, to: number): boolean {
    return this.#endBefore(from) === this.#endBefore(to);
  }

  /** Writes the hash of what a row held, two words, to `into`. */
  contentOf(row: number, into: Uint32Array, at: number): void {
    for (let word = 0; word < contentWords; word += 1) into[at + word] = this.#contents[row * contentWords + word] ?? 0;
  }

  clear(): void {
    this.#rows = 0;
    this.#text.clear();
    this.#texts.clear();
    this.leads.clear();
    this.#shown = roomOfError();
    this.#records.clear();
  }

  #growRows(): void {
    const rows = this.#rows + 1;
    this.#ends = withRoom(this.#ends, rows);
    this.#contents = withRoom(this.#contents, rows * contentWords);
    this.#ids = withRoom(this.#ids, rows * guidWords);
  }
}
