import { recordBatches } from '../../core/values/batches.js';
import { charactersOf, type RecordValue, type Value } from '../../core/values/value.js';
import { Room } from '../../soap/wire/room.js';
import type { OpenOverflow } from '../ids/overflow-guids.js';
import { guidOfWords, guidWords, isFree, readGuidBytes, writeIdWords } from '../ids/guid-table.js';
import { contentWords, hashContent, hashContentBytes, type ContentRoom } from './content-hash.js';
import { Leads, RowTexts, usualRows, withRoom, PageText } from './page-text.js';

const guidLength = 36;

/** Room for as many records as the data of an error shows; these are masked later. */
const roomOfError = (): Room => new Room((text) => text);

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

/** The text of the rows of one answer, one after the other, and the hashes of their contents. */
export class RenderedPage {
  /** True where the text of a row is its record as JSON, to be read back: not what is written of it. */
  readonly isJson: boolean;
  readonly #text: PageText;
  /** Place behind each row. */
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

  /** @param openFile opens the file for a text that is too long for memory */
  constructor(openFile?: OpenOverflow, isJson = false) {
    this.#text = new PageText(openFile);
    this.#texts = new RowTexts(openFile);
    this.isJson = isJson;
  }

  /** Adds a row with its text; gives what stands for the record. */
  add(record: RecordValue, id: string, text: string): RecordValue {
    const row = this.#close(this.#text.add(text));
    hashContent(record, this.#contents, row * contentWords);
    const bytes = Buffer.from(id, 'utf8');
    if (!this.#keepWords(row, bytes, { from: 0, to: bytes.length })) this.#texts.keep(row, id);
    return this.#rowOf(row, record);
  }

  /** True for the first rows of an answer: their records are kept, because the error of a refusal behind them shows them. */
  get asksForRecord(): boolean {
    return !this.#shown.isFull;
  }

  #rowOf(row: number, record: RecordValue | undefined): RecordValue {
    if (record !== undefined && this.asksForRecord) {
      this.#shown.take(charactersOf(record));
      this.#records.set(row, record);
    }
    return asRecord(new RenderedRow(this, row));
  }

  /** The record of a row, of the first rows of an answer. */
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
   * Adds a row whose text was written into the bytes, up to `end`, and whose Id stands in its content; gives the row.
   * @param content what it holds, as hashContentBytes takes it
   */
  addWritten(end: number, content: ContentRoom, { length, id, record }: Written): RecordValue {
    const row = this.#close(this.#text.end(end));
    hashContentBytes(content, length, { into: this.#contents, at: row * contentWords });
    if (!this.#keepWords(row, content.bytes, id)) this.#texts.keep(row, content.bytes.toString('utf8', id.from, id.to));
    return this.#rowOf(row, record);
  }

  /** Keeps the words of an Id that is a GUID in lower case; false for any other. */
  #keepWords(row: number, bytes: Uint8Array, { from, to }: Stretch): boolean {
    const id = { words: this.#ids, at: row * guidWords };
    if (to - from === guidLength && readGuidBytes(bytes, from, id) && !isFree(id.words, id.at)) return true;
    this.#ids.fill(0, id.at, id.at + guidWords);
    return false;
  }

  /** True for a row whose Id is told as words. */
  hasIdWords(row: number): boolean {
    return !isFree(this.#ids, row * guidWords);
  }

  /** Writes the words of such an Id to `into`. */
  writeIdWords(row: number, into: Uint32Array): void {
    for (let word = 0; word < guidWords; word += 1) into[word] = this.#ids[row * guidWords + word] ?? 0;
  }

  /** The Id of a row; empty for a row without one. Throws `local`. */
  idOf(row: number): string {
    return this.hasIdWords(row) ? guidOfWords(this.#ids, row * guidWords) : this.#texts.of(row);
  }

  /** The hashes of the contents of some rows. */
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

  /** The text of one row. Throws `local`. */
  textOf(row: number): string {
    return this.#text.textOf(this.#endBefore(row), this.#endBefore(row + 1));
  }

  /** Place behind the row before a row. */
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

/** Where the text of a row is. */
export interface Place {
  readonly page: RenderedPage;
  readonly row: number;
}

/** What is left of a record that was rendered: where its text and its Id are. Answers have up to a million. */
class RenderedRow implements Place {
  readonly page: RenderedPage;
  readonly row: number;

  constructor(page: RenderedPage, row: number) {
    this.page = page;
    this.row = row;
  }

  get Id(): string {
    return this.page.idOf(this.row);
  }
}

/** To all code but that of exports it is a record with an Id. */
const asRecord = (row: RenderedRow): RecordValue => row as unknown as RecordValue;

/** Where the text of a record is that was rendered when it was decoded; undefined for any other record. */
export const placeOf = (record: RecordValue): Place | undefined => (record instanceof RenderedRow ? record : undefined);

/** A record with one more member, which comes first and replaces one of the same name. */
const led = (name: string, value: string, record: RecordValue): RecordValue =>
  Object.assign({ [name]: value }, record, { [name]: value });

/** The same; one that was kept as JSON has the member when it is read back. */
export function ledBy(name: string, value: string, record: RecordValue): RecordValue {
  if (!(record instanceof RenderedRow)) return led(name, value, record);
  record.page.leads.put(record.row, { name, value });
  return record;
}

/** Reads back a record that was kept as JSON; gives any other as it is. Throws `local`. */
export function readBack(record: RecordValue): RecordValue {
  if (!(record instanceof RenderedRow) || !record.page.isJson) return record;
  const { page, row } = record;
  // JSON.stringify wrote its text.
  const whole = JSON.parse(page.textOf(row)) as RecordValue;
  const lead = page.leads.of(row);
  return lead === undefined ? whole : led(lead.name, lead.value, whole);
}

/** Records that are in memory together while something is made of them. */
const mostRecords = 10_000;

function* eachReadBack(records: readonly RecordValue[]): Generator<RecordValue> {
  for (const record of records) yield readBack(record);
}

/** The records of a list in their order, some at a time; those that were kept as JSON are read back. Throws `local`. */
export const slicesOf = (records: readonly RecordValue[]): Generator<readonly RecordValue[]> =>
  recordBatches(eachReadBack(records), mostRecords);

/** What a row was made of, any other value as it is; undefined for a row whose record was not kept. */
export const shownOf = (value: Value): Value | undefined =>
  value instanceof RenderedRow ? value.page.recordOf(value.row) : value;

/** The Id that a record was rendered with; undefined when it had none. Throws `local`. */
export function renderedId({ page, row }: Place): string | undefined {
  const id = page.idOf(row);
  return id === '' ? undefined : id;
}

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

/** Stands for what a record holds, or held: the hash of it. */
export function contentTextOf(record: RecordValue): string {
  const words = new Uint32Array(contentWords);
  writeContent(record, words, 0);
  return words.join(' ');
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

/**
 * Writes the four words of the Id of a record, or of a row; false for one without an Id. Throws `local`.
 * @param idOf gives the Id of a record, also of a row
 */
export function writeIdOf(
  record: RecordValue,
  idOf: (record: RecordValue) => string | undefined,
  into: Uint32Array,
): boolean {
  const place = placeOf(record);
  if (place?.page.hasIdWords(place.row) === true) {
    place.page.writeIdWords(place.row, into);
    return true;
  }
  const id = idOf(record);
  if (id !== undefined) writeIdWords(id, into);
  return id !== undefined;
}
