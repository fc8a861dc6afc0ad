import { RelctlError } from '../../core/errors/relctl-error.js';
import type { TemporaryFile } from '../../state/temporary-file.js';
import { guidWords, readGuid } from '../../client/ids/guid-table.js';
import { BitSet } from '../../core/values/bit-set.js';
import { idBytes, rowBytes, type OtherRows, type RowsToWrite } from './bookmark-file.js';
import type { RowIndex } from './rows.js';

const pieceBytes = 2048 * rowBytes;

/** Pieces that stay in memory: 2 MiB. */
const mostPieces = 32;

/** The rows of a list beside those of its snapshot. They become the next one. */
export class SnapshotRows implements RowsToWrite {
  readonly #prior: RowIndex;
  /** Places of rows of the snapshot that are in the list. */
  readonly there = new BitSet();
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
   */
  constructor(prior: RowIndex, openFile: () => TemporaryFile) {
    this.#prior = prior;
    this.#openFile = openFile;
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
