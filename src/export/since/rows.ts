import { guidOfDigits, isGuid } from '../../lexical/guid.js';
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

/** Collects rows. Of an Id that is added twice the last digest is kept. */
export class RowCollector {
  #packed = Buffer.alloc(1024 * rowBytes);
  #length = 0;
  readonly #others = new Map<string, string>();

  add(id: string, digest: Uint8Array): void {
    if (!isGuid(id)) {
      this.#others.set(id, viewOf(digest).toString('base64'));
      return;
    }
    if (this.#length === this.#packed.length) {
      const larger = Buffer.alloc(this.#packed.length * 2);
      this.#packed.copy(larger);
      this.#packed = larger;
    }
    this.#packed.set(bytesOf(id), this.#length);
    this.#packed.set(digest, this.#length + idBytes);
    this.#length += rowBytes;
  }

  clear(): void {
    this.#length = 0;
    this.#others.clear();
  }

  /** The places of the rows in the order of their Ids; those of one Id in the order they were added. */
  #inOrder(): Uint32Array {
    const packed = this.#packed;
    const count = this.#length / rowBytes;
    const starts = new Uint32Array(count);
    for (let row = 0; row < count; row += 1) starts[row] = packed.readUInt32BE(row * rowBytes);
    return Uint32Array.from({ length: count }, (_, row) => row).sort((left, right) => {
      // Most Ids differ in their first word, which takes no call to compare.
      const byStart = (starts[left] ?? 0) - (starts[right] ?? 0);
      if (byStart !== 0) return byStart;
      const [a, b] = [left * rowBytes, right * rowBytes];
      return packed.compare(packed, b, b + idBytes, a, a + idBytes) || left - right;
    });
  }

  /** The rows collected so far, sorted. */
  rows(): RememberedRows {
    const sorted = Buffer.alloc(this.#length);
    let length = 0;
    for (const row of this.#inOrder()) {
      const at = row * rowBytes;
      const isRepeat =
        length > 0 && this.#packed.compare(sorted, length - rowBytes, length - digestBytes, at, at + idBytes) === 0;
      if (isRepeat) length -= rowBytes;
      this.#packed.copy(sorted, length, at, at + rowBytes);
      length += rowBytes;
    }
    return { packed: sorted.subarray(0, length), others: [...this.#others] };
  }
}

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
