import type { OpenOverflow } from '../../client/ids/overflow-guids.js';
import { inPieces, mergedRows } from './row-bytes.js';
import { RowCollector } from './row-collector.js';
import { isSame, RowMarks, type OtherRows, type RowIndex, type RowsToWrite } from './rows.js';

/** The rows of a list beside those of its snapshot. A million that did not change are not kept twice. */
export class SnapshotRows implements RowsToWrite {
  readonly #prior: RowIndex;
  /** Rows of the snapshot that are in the list. */
  readonly there: RowMarks;
  /** Those of them that were collected. */
  readonly #replaced: RowMarks;
  readonly #collected: RowCollector;

  /**
   * @param prior the rows of the snapshot
   * @param openOverflow opens a file for collected rows that are too many for memory
   */
  constructor(prior: RowIndex, openOverflow?: OpenOverflow) {
    this.#collected = new RowCollector({ openOverflow });
    this.#prior = prior;
    this.there = new RowMarks(prior.size);
    this.#replaced = new RowMarks(prior.size);
  }

  /** Takes a row of the list; undefined when the snapshot has the same. Of an Id that comes again the last digest is kept. */
  take(id: string, digest: Uint8Array): 'new' | 'changed' | undefined {
    const before = this.#prior.find(id);
    if (before === undefined) {
      this.#collected.add(id, digest);
      return 'new';
    }
    const { place } = before;
    const isChanged = !isSame(before.digest, digest);
    this.there.add(place);
    // Ids that are no GUIDs are few, and have no order to be merged in.
    if (isChanged || place >= this.#prior.guids) this.#replaced.add(place);
    if (this.#replaced.has(place)) this.#collected.add(id, digest);
    return isChanged ? 'changed' : undefined;
  }

  /** The rows that the next snapshot has: those of Ids that are GUIDs, sorted, some at a time. */
  pieces(): Iterable<Uint8Array> {
    const isKept = (place: number): boolean => this.there.has(place) && !this.#replaced.has(place);
    return inPieces(mergedRows(this.#prior.rows(isKept), this.#collected.sorted()));
  }

  /** The rows that the next snapshot has whose Id is no GUID. */
  get others(): OtherRows {
    return this.#collected.others;
  }

  /** Closes the file of the snapshot. */
  close(): void {
    this.#prior.close();
  }
}
