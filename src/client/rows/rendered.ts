import { charactersOf, type RecordValue, type Value } from '../../plain/value.js';
import type { ByteMember, Rows, TakeBytes } from '../../soap/codec/decode-bytes.js';
import { ShownRecords } from '../../soap/wire/room.js';
import type { OpenOverflow } from '../ids/overflow-guids.js';
import { guidOfWords, guidWords, isFree, readGuidBytes } from '../ids/guid-table.js';
import { contentWords, hashContent, hashContentBytes, type ContentRoom } from './content-hash.js';
import { PageText } from './page-text.js';

/** Rows that a page is given room for at first. */
const usualRows = 1024;

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
  readonly #text: PageText;
  /** Place behind each row. */
  #ends = new Uint32Array(usualRows);
  #contents = new Uint32Array(usualRows * contentWords);
  /** The Ids of rows that are told as words. */
  #ids = new Uint32Array(usualRows * guidWords);
  #rows = 0;
  #shown = new ShownRecords();

  /** @param openFile opens the file for a text that is too long for memory */
  constructor(openFile?: OpenOverflow) {
    this.#text = new PageText(openFile);
  }

  /** Adds a row with its text; gives what stands for the record. */
  add(record: RecordValue, id: string, text: string): RecordValue {
    const row = this.#close(this.#text.add(text));
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
    this.#ends[row] = end;
    this.#rows += 1;
    return row;
  }

  /**
   * The text of some rows, in UTF-8: one piece at least, and several of a long text. The bytes may be those of the page until
   * it is cleared. Throws `local`.
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
    this.#shown = new ShownRecords();
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

/** The Id that a record was rendered with; undefined when it had none. */
export function renderedId(place: Place): string | undefined {
  const { id = guidOfWords(place.page.ids, place.row * guidWords) } = place;
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
  /** Gives the Id of a record, of any form; without it, that is its member Id. */
  readonly idOf?: (record: RecordValue) => string | undefined;
  /** Records without an Id are rendered too: nobody asks for it. */
  readonly mayLackId?: boolean;
  /** Opens a file for the text of a page that is too long for memory; without it all of it is in memory. */
  readonly openFile?: OpenOverflow;
  /** The first records of an answer, with about so many characters, stay as they are; without it none do. */
  readonly firstCharacters?: number;
  /** Makes what writes records with these members to a page, from their bytes; undefined where `text` is needed. */
  readonly bytes?: (members: readonly ByteMember[]) => ((page: RenderedPage) => TakeBytes) | undefined;
}

const memberId = ({ Id }: RecordValue): string | undefined => (typeof Id === 'string' ? Id : undefined);

/** Renders the records of lists while they are decoded, so that nothing else of them stays in memory. */
export class Renderer {
  readonly #rendering: Rendering;
  readonly #spare: RenderedPage[] = [];

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
  }

  /** What becomes of the records of one answer. */
  page(): Omit<Rows, 'path'> {
    const page = this.#spare.pop() ?? new RenderedPage(this.#rendering.openFile);
    const { text: textOf, bytes, idOf = memberId, mayLackId = false, firstCharacters = 0 } = this.#rendering;
    let characters = 0;
    return {
      shown: shownOf,
      of(record): Value {
        if (characters < firstCharacters) {
          characters += charactersOf(record);
          return record;
        }
        const id = idOf(record);
        const text = id === undefined && !mayLackId ? undefined : textOf(record);
        return text === undefined ? record : page.add(record, id ?? '', text);
      },
      drop: () => this.release(page),
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
