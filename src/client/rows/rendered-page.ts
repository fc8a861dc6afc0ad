import { contentWords, hashContent } from '../../core/values/content-hash.js';
import { charactersOf, type RecordValue } from '../../core/values/value.js';
import type { RowBatch, RowSource } from '../../soap/rows/kernel.js';
import { guidOfWords, guidWords, isFree, isLowerGuid, readGuid } from '../ids/guid-table.js';
import type { OpenOverflow } from '../ids/id-set.js';
import { Room } from '../../soap/wire/raw.js';
import { Leads, RowTexts, usualRows, withRoom, PageText } from './page-text.js';

/** Room for as many records as the data of an error shows; these are masked later. */
const roomOfError = (): Room => new Room((text) => text);

/** Rows of which the bytes are kept, and their records once one is asked for. */
interface StoredRow {
  readonly row: number;
  readonly bytes: Uint8Array;
  readonly read: RowSource['read'];
  records?: readonly RecordValue[];
}

/** The first records of an answer, as many as an error shows: the service may refuse the call behind them. */
class FirstRecords {
  #room = roomOfError();
  readonly #records = new Map<number, RecordValue>();
  readonly #batches: StoredRow[] = [];

  add(row: number, record: RecordValue): void {
    if (this.#room.isFull) return;
    this.#room.take(charactersOf(record));
    this.#records.set(row, record);
  }

  /** Keeps the bytes of rows: they are read when an error shows them, which is seldom. */
  addRows(row: number, { characters }: RowBatch, { bytes, read }: RowSource): void {
    if (this.#room.isFull) return;
    this.#room.take(characters);
    this.#batches.push({ row, bytes: Uint8Array.from(bytes), read });
  }

  of(row: number): RecordValue | undefined {
    const batch = this.#batches.findLast((each) => each.row <= row);
    if (batch === undefined || this.#records.has(row)) return this.#records.get(row);
    batch.records ??= batch.read(batch.bytes);
    return batch.records[row - batch.row];
  }

  clear(): void {
    this.#room = roomOfError();
    this.#records.clear();
    this.#batches.length = 0;
  }
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
  readonly #first = new FirstRecords();

  constructor(openFile?: OpenOverflow, { isJson = false, hasKeys = false }: RowForm = {}) {
    this.#text = new PageText(openFile);
    this.#texts = new RowTexts(openFile);
    this.isJson = isJson;
    this.hasKeys = hasKeys;
  }

  /** Adds a row with its text; gives its number. */
  add(record: RecordValue, id: string, text: string): number {
    const row = this.#rows;
    this.#makeRoom(row + 1);
    this.#ends[row] = this.#text.add(text);
    hashContent(record, this.#contents, row * contentWords);
    this.#storeId(row, id);
    this.#first.add(row, record);
    this.#rows += 1;
    return row;
  }

  /** Adds rows that are text already, of no text those that do not match; gives the number of the first. */
  addRows(batch: RowBatch, source: RowSource): number {
    const { rows, ends, contents, ids } = batch;
    const first = this.#rows;
    this.#makeRoom(first + rows);
    this.#contents.set(contents.subarray(0, rows * contentWords), first * contentWords);
    this.#ids.set(ids.subarray(0, rows * guidWords), first * guidWords);
    this.#first.addRows(first, batch, source);
    if (source.matches === undefined) {
      const before = this.#text.addBytes(batch.text);
      for (let row = 0; row < rows; row += 1) this.#ends[first + row] = before + (ends[row] ?? 0);
    } else this.#addMatching(batch, source.matches);
    this.#storeTexts(first, batch);
    this.#rows += rows;
    return first;
  }

  #addMatching({ rows, text, ends }: RowBatch, matches: readonly boolean[]): void {
    let from = 0;
    for (let row = 0; row < rows; row += 1) {
      const to = ends[row] ?? 0;
      const bytes = matches[row] === true ? text.subarray(from, to) : text.subarray(0, 0);
      this.#ends[this.#rows + row] = this.#text.addBytes(bytes) + bytes.length;
      from = to;
    }
  }

  /** Keeps the Ids of a batch that have no words. */
  #storeTexts(first: number, { rows, idEnds, idTexts }: RowBatch): void {
    let from = 0;
    for (let row = 0; row < rows; row += 1) {
      const to = idEnds[row] ?? 0;
      if (to > from) this.#texts.store(first + row, Buffer.from(idTexts.subarray(from, to)).toString('utf8'));
      from = to;
    }
  }

  /** Keeps the words of an Id that is a GUID in lower case, and the text of any other. */
  #storeId(row: number, id: string): void {
    const words = this.#ids.subarray(row * guidWords, (row + 1) * guidWords);
    if (isLowerGuid(id) && readGuid(id, words) && !isFree(words, 0)) return;
    words.fill(0);
    this.#texts.store(row, id);
  }

  /** The record of a row among the first of an answer; undefined for one behind these. */
  recordOf(row: number): RecordValue | undefined {
    return this.#first.of(row);
  }

  hasIdWords(row: number): boolean {
    return !isFree(this.#ids, row * guidWords);
  }

  writeIdWords(row: number, into: Uint32Array): void {
    for (let word = 0; word < guidWords; word += 1) into[word] = this.#ids[row * guidWords + word] ?? 0;
  }

  /** The words of the Ids of some rows; undefined where one of them has none. */
  wordsOf(from: number, to: number): Uint32Array | undefined {
    for (let row = from; row < to; row += 1) if (!this.hasIdWords(row)) return undefined;
    return this.#ids.subarray(from * guidWords, to * guidWords);
  }

  /** The Id of a row; empty for a row without one. Throws `local`. */
  idOf(row: number): string {
    return this.hasIdWords(row) ? guidOfWords(this.#ids, row * guidWords) : this.#texts.of(row);
  }

  contentsOf(from: number, to: number): Uint32Array {
    return this.#contents.subarray(from * contentWords, to * contentWords);
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
    this.#first.clear();
  }

  #makeRoom(rows: number): void {
    this.#ends = withRoom(this.#ends, rows);
    this.#contents = withRoom(this.#contents, rows * contentWords);
    this.#ids = withRoom(this.#ids, rows * guidWords);
  }
}
