import { guidWords, readGuid } from '../../client/ids/guid-table.js';
import { guidOfDigits } from '../../lexical/values/guid.js';
import { idBytes, rowBytes, viewOf } from './row-bytes.js';

/** Rows whose Id is no GUID: Id and digest in base64. */
export type OtherRows = readonly (readonly [id: string, digest: string])[];

/** Id (16 bytes) and digest (16 bytes) of many records in an open file, in the order of the bytes of the Ids; each Id once. */
export interface RowsOnDisk {
  /** How many rows have a GUID. */
  readonly guids: number;
  readonly others: OtherRows;
  /** Fills `into` with rows of GUIDs from a place on. Throws `local`. */
  read(into: Uint8Array, place: number): void;
  /** Closes the file; may be called again. */
  close(): void;
}

/** Rows to be written, those of GUIDs some at a time. */
export interface RowsToWrite {
  readonly others: OtherRows;
  pieces(): Iterable<Uint8Array>;
  /** Closes what the rows are read from, which what is written may replace. */
  close(): void;
}

/** No rows. */
export const noRows: RowsOnDisk = { guids: 0, others: [], read: () => undefined, close: () => undefined };

/** A row that was found: its place, for `RowMarks`, and its digest. */
export interface FoundRow {
  /** From 0; those whose Id is no GUID come last. */
  readonly place: number;
  /** Valid until the next row is looked for. */
  readonly digest: Uint8Array;
}

/** Rows that are read at once to find one of them. */
const blockRows = 64;

/** Rows of which the index is made at once. */
const scanRows = 2048;

/** Below 0 when the Id of the row at a place comes before the one that is wanted, 0 when it is that. */
function compareTo(wanted: Uint32Array, rows: Buffer, at: number): number {
  for (let word = 0; word < guidWords; word += 1) {
    const order = rows.readUInt32BE(at + word * 4) - (wanted[word] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

/** Finds rows by Id. GUIDs are compared without regard to case. */
export class RowIndex {
  readonly size: number;
  readonly #rows: RowsOnDisk;
  readonly #places: ReadonlyMap<string, number>;
  /** The first Id of each block. */
  readonly #firsts: Buffer;
  readonly #wanted = new Uint32Array(guidWords);
  #block = Buffer.alloc(0);
  #blockAt = -1;

  constructor(rows: RowsOnDisk) {
    this.#rows = rows;
    this.#places = new Map(rows.others.map(([id], at) => [id, at]));
    this.size = this.guids + rows.others.length;
    this.#firsts = Buffer.alloc(Math.ceil(this.guids / blockRows) * idBytes);
    let block = 0;
    for (const { bytes } of this.#pieces())
      for (let at = 0; at < bytes.length; at += blockRows * rowBytes, block += 1)
        bytes.copy(this.#firsts, block * idBytes, at, at + idBytes);
  }

  /** How many rows have a GUID; they have the first places. */
  get guids(): number {
    return this.#rows.guids;
  }

  /** Finds a row. Throws `local` when the file of the rows cannot be read. */
  find(id: string): FoundRow | undefined {
    if (!readGuid(id, this.#wanted)) return this.#findOther(id);
    const block = this.#lastAtMost(this.#firsts, idBytes);
    if (block === -1) return undefined;
    const rows = this.#blockOf(block);
    const row = this.#lastAtMost(rows, rowBytes);
    const at = row * rowBytes;
    if (compareTo(this.#wanted, rows, at) !== 0) return undefined;
    return { place: block * blockRows + row, digest: rows.subarray(at + idBytes, at + rowBytes) };
  }

  /** The last of some Ids, which are so many bytes apart, that does not come behind the wanted one; -1 for none. */
  #lastAtMost(ids: Buffer, bytesApart: number): number {
    let [low, high] = [0, ids.length / bytesApart];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareTo(this.#wanted, ids, middle * bytesApart) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #blockOf(block: number): Buffer {
    if (block === this.#blockAt) return this.#block;
    const from = block * blockRows;
    const length = Math.min(blockRows, this.guids - from) * rowBytes;
    if (this.#block.length !== length) this.#block = Buffer.alloc(length);
    // What is in the block is of no use when it cannot be read.
    this.#blockAt = -1;
    this.#rows.read(this.#block, from);
    this.#blockAt = block;
    return this.#block;
  }

  #findOther(id: string): FoundRow | undefined {
    const at = this.#places.get(id);
    const digest = at === undefined ? undefined : this.#rows.others[at]?.[1];
    if (at === undefined || digest === undefined) return undefined;
    return { place: this.guids + at, digest: Buffer.from(digest, 'base64') };
  }

  *#pieces(): Generator<{ readonly place: number; readonly bytes: Buffer }, undefined> {
    const buffer = Buffer.alloc(Math.min(scanRows, this.guids) * rowBytes);
    for (let place = 0; place < this.guids; place += scanRows) {
      const bytes = buffer.subarray(0, Math.min(scanRows, this.guids - place) * rowBytes);
      this.#rows.read(bytes, place);
      yield { place, bytes };
    }
  }

  /**
   * The rows of GUIDs in their order, one at a time; each is valid until the next one. Throws `local` as `find` does.
   * @param isWanted which of them, by their places
   */
  *rows(isWanted: (place: number) => boolean): Generator<Buffer, undefined> {
    for (const { place, bytes } of this.#pieces())
      for (let at = 0; at < bytes.length; at += rowBytes)
        if (isWanted(place + at / rowBytes)) yield bytes.subarray(at, at + rowBytes);
  }

  /** The Id at a place. Throws `local` as `find` does. */
  idAt(place: number): string {
    if (place >= this.guids) return this.#rows.others[place - this.guids]?.[0] ?? '';
    const at = (place % blockRows) * rowBytes;
    return guidOfDigits(this.#blockOf(Math.floor(place / blockRows)).toString('hex', at, at + idBytes));
  }

  /** Closes the file of the rows. */
  close(): void {
    this.#rows.close();
  }
}

/** Marks some rows of an index, by their places: one bit a row. */
export class RowMarks {
  readonly #bits: Uint8Array;
  #count = 0;

  /** @param size rows of the index */
  constructor(size: number) {
    this.#bits = new Uint8Array(Math.ceil(size / 8));
  }

  /** Marks a row; true when it had no mark. */
  add(place: number): boolean {
    if (this.has(place)) return false;
    this.#bits[place >>> 3] = (this.#bits[place >>> 3] ?? 0) | (1 << (place & 7));
    this.#count += 1;
    return true;
  }

  has(place: number): boolean {
    return ((this.#bits[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  /** How many rows have a mark. */
  get count(): number {
    return this.#count;
  }
}

/** True when two digests are equal. */
export const isSame = (left: Uint8Array, right: Uint8Array): boolean => viewOf(left).equals(viewOf(right));
