import { RelctlError } from '../../core/errors/relctl-error.js';
import type { RecordValue } from '../../core/values/value.js';
import type { TemporaryFile } from '../../state/temporary-file.js';
import { guidWords, readGuid, hashAt } from '../../client/ids/guid-table.js';
import { BitSet } from '../../core/values/bit-set.js';
import { idBytes, rowBytes, type OtherRows, type RowsToWrite } from './bookmark-file.js';
import { guidOfDigits } from '../../core/text/scalars.js';

const pieceBytes = 2048 * rowBytes;

/** Pieces that stay in memory: 2 MiB. */
const mostPieces = 32;

/** The rows of a list beside those of its snapshot. They become the next one. */
export class SnapshotRows implements RowsToWrite {
  readonly #prior: RowIndex;
  /** Places of rows of the snapshot that are in the list. */
  readonly there = new BitSet();
  readonly records: TemporaryFile | undefined;
  readonly #openFile: () => TemporaryFile;
  #file: TemporaryFile | undefined;
  readonly #full: Buffer[] = [];
  #piece = Buffer.allocUnsafe(pieceBytes);
  #length = 0;
  readonly #guid = new Uint32Array(guidWords);
  readonly #others = new Map<string, string>();

  /**
   * @param prior the rows of the snapshot
   * @param openFile opens a file for rows that are too many for memory
   * @param records takes what is kept of the records
   */
  constructor(prior: RowIndex, openFile: () => TemporaryFile, records?: TemporaryFile) {
    this.#prior = prior;
    this.#openFile = openFile;
    this.records = records;
  }

  /** Keeps something of records, by their Ids. Throws `local`. */
  keep(records: readonly (readonly [id: string, kept: RecordValue])[]): void {
    this.records?.append(Buffer.from(records.map((each) => `${JSON.stringify(each)}\n`).join('')));
  }

  /** Takes a row of the list; undefined when the snapshot has the same. Of an Id that comes again the last digest is kept. */
  take(id: string, digest: Buffer): 'new' | 'changed' | undefined {
    if (readGuid(id, this.#guid)) this.#add(digest);
    else this.#others.set(id, digest.toString('base64'));
    const before = this.#prior.find(id);
    if (before === undefined) return 'new';
    this.there.add(before.place);
    return digest.equals(before.digest) ? undefined : 'changed';
  }

  #add(digest: Buffer): void {
    for (let word = 0; word < guidWords; word += 1)
      this.#piece.writeUInt32BE(this.#guid[word] ?? 0, this.#length + word * 4);
    digest.copy(this.#piece, this.#length + idBytes);
    this.#length += rowBytes;
    if (this.#length < pieceBytes) return;
    this.#full.push(this.#piece);
    this.#piece = Buffer.allocUnsafe(pieceBytes);
    this.#length = 0;
    if (this.#full.length >= mostPieces) this.#toFile();
  }

  #toFile(): void {
    try {
      this.#file ??= this.#openFile();
      for (let [first] = this.#full; first !== undefined; [first] = this.#full) {
        this.#file.append(first);
        this.#full.shift();
      }
    } catch (thrown) {
      // What cannot be written stays in memory.
      if (RelctlError.from(thrown).kind !== 'local') throw thrown;
    }
  }

  /** The rows of Ids that are GUIDs, some at a time. Throws `local` when the file cannot be read. */
  *pieces(): Generator<Uint8Array> {
    if (this.#file !== undefined) yield* this.#file.pieces();
    yield* this.#full;
    yield this.#piece.subarray(0, this.#length);
  }

  get others(): OtherRows {
    return [...this.#others];
  }

  close(): void {
    this.#prior.close();
  }
}

/** Id (16 bytes) and digest (16 bytes) of many records in an open file; of two with the same Id the later one counts. */
export interface RowsOnDisk {
  readonly guids: number;
  readonly others: OtherRows;
  /** Fills `into` with rows of GUIDs from a place on. Throws `local`. */
  read(into: Uint8Array, row: number): void;
  /** Closes the file; may be called again. */
  close(): void;
}

/** No rows. */
export const noRows: RowsOnDisk = { guids: 0, others: [], read: () => undefined, close: () => undefined };

interface SnapshotRow {
  /** From 0; those whose Id is not a GUID come last. */
  readonly place: number;
  /** Valid until the next row is looked for. */
  readonly digest: Uint8Array;
}

/** Rows that are read at once: a list mostly has the order that it had before. */
const blockRows = 64;

const slotsPerRow = 1.5;

/**
 * Finds rows by Id, in their file: 9 bytes of memory for each of a GUID. GUIDs are compared without regard to case. All that
 * reads throws `local` when the file cannot be read.
 */
export class RowIndex {
  readonly size: number;
  readonly #rows: RowsOnDisk;
  readonly #others: ReadonlyMap<string, number>;
  /** One more than the place of a row; 0 for a slot that is free. */
  readonly #slots: Uint32Array;
  /** A part of the hash of its Id, by which nearly every other Id is told without reading the row. */
  readonly #tags: Uint16Array;
  /** Places of rows whose Id comes again behind them. */
  readonly #repeated = new Set<number>();
  readonly #wanted = new Uint32Array(guidWords);
  #block = Buffer.alloc(0);
  #blockAt = -1;

  constructor(rows: RowsOnDisk) {
    const slots = Math.ceil(rows.guids * slotsPerRow) + 1;
    this.#rows = rows;
    this.#others = new Map(rows.others.map(([id], at) => [id, rows.guids + at]));
    this.#slots = new Uint32Array(slots);
    this.#tags = new Uint16Array(slots);
    for (let row = 0; row < rows.guids; row += 1) this.#add(row);
    this.size = rows.guids - this.#repeated.size + rows.others.length;
  }

  #add(row: number): void {
    const at = this.#read(row);
    for (let word = 0; word < guidWords; word += 1) this.#wanted[word] = this.#block.readUInt32BE(at + word * 4);
    const slot = this.#findSlot();
    const before = this.#slots[slot] ?? 0;
    if (before !== 0) this.#repeated.add(before - 1);
    this.#slots[slot] = row + 1;
    this.#tags[slot] = hashAt(this.#wanted, 0) >>> 16;
  }

  /** The slot of the Id that is wanted, or the free one where it belongs. */
  #findSlot(): number {
    const [slots, hash] = [this.#slots, hashAt(this.#wanted, 0)];
    const tag = hash >>> 16;
    for (let slot = hash % slots.length; ; slot = slot + 1 === slots.length ? 0 : slot + 1) {
      const entry = slots[slot] ?? 0;
      if (entry === 0 || (this.#tags[slot] === tag && this.#matchesAt(entry - 1))) return slot;
    }
  }

  #matchesAt(row: number): boolean {
    const at = this.#read(row);
    for (let word = 0; word < guidWords; word += 1)
      if (this.#block.readUInt32BE(at + word * 4) !== this.#wanted[word]) return false;
    return true;
  }

  /** Reads the block of a row; gives where the row begins in it. */
  #read(index: number): number {
    const row = index % blockRows;
    const from = index - row;
    if (from !== this.#blockAt) this.#readBlock(from);
    return row * rowBytes;
  }

  #readBlock(from: number): void {
    const length = Math.min(blockRows, this.#rows.guids - from) * rowBytes;
    if (this.#block.length !== length) this.#block = Buffer.alloc(length);
    // What is in the block is of no use when it cannot be read.
    this.#blockAt = -1;
    this.#rows.read(this.#block, from);
    this.#blockAt = from;
  }

  find(id: string): SnapshotRow | undefined {
    if (!readGuid(id, this.#wanted)) return this.#findOther(id);
    const row = (this.#slots[this.#findSlot()] ?? 0) - 1;
    if (row === -1) return undefined;
    const at = this.#read(row);
    return { place: row, digest: this.#block.subarray(at + idBytes, at + rowBytes) };
  }

  #findOther(id: string): SnapshotRow | undefined {
    const row = this.#others.get(id);
    if (row === undefined) return undefined;
    const [, digest = ''] = this.#rows.others[row - this.#rows.guids] ?? [];
    return { place: row, digest: Buffer.from(digest, 'base64') };
  }

  *places(): Generator<number> {
    for (let row = 0; row < this.#rows.guids + this.#others.size; row += 1) if (!this.#repeated.has(row)) yield row;
  }

  idAt(row: number): string {
    if (row >= this.#rows.guids) return this.#rows.others[row - this.#rows.guids]?.[0] ?? '';
    const at = this.#read(row);
    return guidOfDigits(this.#block.toString('hex', at, at + idBytes));
  }

  close(): void {
    this.#rows.close();
  }
}
