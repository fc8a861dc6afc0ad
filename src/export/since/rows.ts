import { guidOfDigits, isGuid } from '../../lexical/guid.js';
import { inBatches } from '../../plain/batches.js';
import { digestBytes } from './digest.js';

/** Bytes of a GUID. */
const idBytes = 16;
const rowBytes = idBytes + digestBytes;

/** Rows whose Id is no GUID: Id and digest in base64. */
export type OtherRows = readonly (readonly [id: string, digest: string])[];

/** Id and digest of many records, 32 bytes a record. */
export interface RememberedRows {
  /** Id (16 bytes) and digest (16 bytes) of each record, in the order of the bytes of the Ids; each Id once. */
  readonly packed: Uint8Array;
  readonly others: OtherRows;
}

/** Rows that may not be in one piece: a million of them need not be copied to be written. */
export type RowsToWrite = RememberedRows | { readonly others: OtherRows; pieces(): Iterable<Uint8Array> };

/** No rows. */
export const noRows: RememberedRows = { packed: new Uint8Array(0), others: [] };

/** How many records. */
export const countOf = ({ packed, others }: RememberedRows): number => packed.length / rowBytes + others.length;

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/** Bytes without a copy. */
const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A row that was found: its place, for `RowMarks`, and its digest. */
export interface FoundRow {
  /** From 0; those whose Id is no GUID come last. */
  readonly place: number;
  readonly digest: Uint8Array;
}

/** Finds rows by Id. GUIDs are compared without regard to case. */
export class RowIndex {
  readonly size: number;
  readonly #packed: Buffer;
  readonly #others: OtherRows;
  readonly #places: ReadonlyMap<string, number>;

  constructor(rows: RememberedRows) {
    this.#packed = viewOf(rows.packed);
    this.#others = rows.others;
    this.#places = new Map(rows.others.map(([id], at) => [id, at]));
    this.size = countOf(rows);
  }

  find(id: string): FoundRow | undefined {
    if (!isGuid(id)) return this.#findOther(id);
    const wanted = bytesOf(id);
    let [low, high] = [0, this.#packed.length / rowBytes];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = middle * rowBytes;
      const order = this.#packed.compare(wanted, 0, idBytes, at, at + idBytes);
      if (order === 0) return { place: middle, digest: this.#packed.subarray(at + idBytes, at + rowBytes) };
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  #findOther(id: string): FoundRow | undefined {
    const at = this.#places.get(id);
    const digest = at === undefined ? undefined : this.#others[at]?.[1];
    if (at === undefined || digest === undefined) return undefined;
    return { place: this.#packed.length / rowBytes + at, digest: Buffer.from(digest, 'base64') };
  }

  /** How many rows have a GUID; they have the first places. */
  get guids(): number {
    return this.#packed.length / rowBytes;
  }

  /** Id and digest of a GUID at a place, side by side. */
  rowAt(place: number): Buffer {
    return this.#packed.subarray(place * rowBytes, (place + 1) * rowBytes);
  }

  /** Id and digest at a place. */
  at(place: number): { readonly id: string; readonly digest: Uint8Array } {
    const guids = this.#packed.length / rowBytes;
    if (place < guids) {
      const at = place * rowBytes;
      return {
        id: guidOfDigits(this.#packed.toString('hex', at, at + idBytes)),
        digest: this.#packed.subarray(at + idBytes, at + rowBytes),
      };
    }
    const [id = '', digest = ''] = this.#others[place - guids] ?? [];
    return { id, digest: Buffer.from(digest, 'base64') };
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

/** Rows that are allocated together, so that a collection that grows is never copied. */
const blockRows = 32_768;

/** How many sorted rows are given at once. */
const pieceRows = 2048;

/** Collects rows. Of an Id that is added twice the last digest is kept. */
export class RowCollector {
  #blocks: Buffer[] = [];
  #count = 0;
  readonly #others = new Map<string, string>();

  add(id: string, digest: Uint8Array): void {
    if (!isGuid(id)) {
      this.#others.set(id, viewOf(digest).toString('base64'));
      return;
    }
    const at = (this.#count % blockRows) * rowBytes;
    if (at === 0) this.#blocks.push(Buffer.alloc(blockRows * rowBytes));
    const block = this.#blockOf(this.#count);
    block.set(bytesOf(id), at);
    block.set(digest, at + idBytes);
    this.#count += 1;
  }

  clear(): void {
    this.#blocks = [];
    this.#count = 0;
    this.#others.clear();
  }

  #blockOf(row: number): Buffer {
    const block = this.#blocks[Math.floor(row / blockRows)];
    if (block === undefined) throw new RangeError(`no row at ${row}`);
    return block;
  }

  /** Below 0 when the Id of the first row comes first, 0 when both have the same. */
  #compareIds(left: number, right: number): number {
    const [a, b] = [(left % blockRows) * rowBytes, (right % blockRows) * rowBytes];
    return this.#blockOf(left).compare(this.#blockOf(right), b, b + idBytes, a, a + idBytes);
  }

  /** The rows by their number, in the order of their Ids; those of one Id in the order they were added. */
  #inOrder(): Uint32Array {
    const count = this.#count;
    const starts = new Uint32Array(count);
    const order = new Uint32Array(count);
    for (let row = 0; row < count; row += 1) {
      starts[row] = this.#blockOf(row).readUInt32BE((row % blockRows) * rowBytes);
      order[row] = row;
    }
    return order.sort((left, right) => {
      // Most Ids differ in their first word, which takes no call to compare.
      const byStart = (starts[left] ?? 0) - (starts[right] ?? 0);
      return byStart !== 0 ? byStart : this.#compareIds(left, right) || left - right;
    });
  }

  /** Id and digest of the rows, sorted, some at a time; not valid when another row is added. */
  *pieces(): Generator<Uint8Array, void> {
    const order = this.#inOrder();
    let piece = Buffer.alloc(pieceRows * rowBytes);
    let length = 0;
    for (const [at, row] of order.entries()) {
      const next = order[at + 1];
      // Of rows with the same Id the last one is kept.
      if (next !== undefined && this.#compareIds(row, next) === 0) continue;
      const from = (row % blockRows) * rowBytes;
      this.#blockOf(row).copy(piece, length, from, from + rowBytes);
      length += rowBytes;
      if (length < piece.length) continue;
      yield piece;
      piece = Buffer.alloc(pieceRows * rowBytes);
      length = 0;
    }
    if (length > 0) yield piece.subarray(0, length);
  }

  /** Rows whose Id is no GUID. */
  get others(): OtherRows {
    return [...this.#others];
  }

  /** The rows collected so far, sorted. */
  rows(): RememberedRows {
    return { packed: Buffer.concat([...this.pieces()]), others: this.others };
  }
}

function* rowsOf(pieces: Iterable<Uint8Array>): Generator<Buffer, undefined> {
  for (const piece of pieces) {
    const bytes = viewOf(piece);
    for (let at = 0; at < bytes.length; at += rowBytes) yield bytes.subarray(at, at + rowBytes);
  }
}

function* mergedRows(kept: Iterable<Buffer>, collected: Generator<Buffer, undefined>): Generator<Buffer> {
  let next = collected.next().value;
  for (const row of kept) {
    for (; next !== undefined && next.compare(row) < 0; next = collected.next().value) yield next;
    yield row;
  }
  for (; next !== undefined; next = collected.next().value) yield next;
}

/**
 * Rows of an index and collected ones, sorted, some at a time.
 * @param isKept which rows of the index, by their places; none of them may have been collected too
 */
export function* mergedPieces(
  index: RowIndex,
  isKept: (place: number) => boolean,
  collected: RowCollector,
): Generator<Uint8Array, void> {
  const kept = function* (): Generator<Buffer> {
    for (let place = 0; place < index.guids; place += 1) if (isKept(place)) yield index.rowAt(place);
  };
  for (const rows of inBatches(mergedRows(kept(), rowsOf(collected.pieces())), pieceRows)) yield Buffer.concat(rows);
}

/** The packed rows, some at a time. */
export const piecesOf = (rows: RowsToWrite): Iterable<Uint8Array> => ('packed' in rows ? [rows.packed] : rows.pieces());

/** True for bytes that are rows: complete, and with ascending Ids. */
export function areRows(packed: Uint8Array): boolean {
  const bytes = viewOf(packed);
  if (bytes.length % rowBytes !== 0) return false;
  for (let at = rowBytes; at < bytes.length; at += rowBytes) {
    if (bytes.compare(bytes, at - rowBytes, at - digestBytes, at, at + idBytes) <= 0) return false;
  }
  return true;
}

/** True when two digests are equal. */
export const isSame = (left: Uint8Array, right: Uint8Array): boolean => viewOf(left).equals(viewOf(right));
