import type { RecordValue } from '../../plain/value.js';
import { readBack } from '../../client/rows/rendered.js';
import { contentDigest } from './digest.js';
import { RowCollector } from './row-collector.js';
import { isSame, noRows, RowIndex, type RememberedRows } from './rows.js';
import { mayComeAgain } from './window.js';

/** How Id and time of change are read from the records of a list. */
export interface RecordFacts {
  readonly idOf: (record: RecordValue) => string | undefined;
  /** When a record was changed; undefined where it does not say. */
  readonly stampOf: (record: RecordValue) => string | undefined;
}

/** Id of a record, and its digest in base64. */
export type SeenRow = readonly [id: string, digest: string];

/** Drops the records of a window that the run before has written, and remembers those that the next window may repeat. */
export class ChangeFilter {
  readonly #facts: RecordFacts;
  readonly #prior: RowIndex;
  readonly #touched = new Set<string>();
  readonly #seen = new RowCollector();
  /** All rows that this run has read. */
  readonly #read = new RowCollector();
  #readBefore = new RowIndex(noRows);
  #touchesAll = false;

  /** @param prior rows that the run before wrote and that may come again */
  constructor(prior: RememberedRows, facts: RecordFacts) {
    this.#facts = facts;
    this.#prior = new RowIndex(prior);
  }

  /** True when the run before left rows that may come again. */
  get hasPrior(): boolean {
    return this.#prior.size > 0;
  }

  /** Marks records as changed since the run before: they are written also when they look as before. */
  touch(records: readonly RecordValue[]): void {
    for (const record of records) {
      const id = this.#facts.idOf(record);
      if (id !== undefined) this.#touched.add(id.toLowerCase());
    }
  }

  /** Marks all records as changed: which of them did could not be found out. */
  touchAll(): void {
    this.#touchesAll = true;
  }

  #isRepeat(id: string, digest: Buffer): boolean {
    const [here, before] = [this.#readBefore.find(id), this.#prior.find(id)];
    if (here !== undefined && isSame(here.digest, digest)) return true;
    const isTouched = this.#touchesAll || this.#touched.has(id.toLowerCase());
    return !isTouched && before !== undefined && isSame(before.digest, digest);
  }

  /**
   * The records that are to be written, and the rows to remember of all of them.
   * @param startMs the earliest start of the next window, in milliseconds since 1970
   */
  take(
    records: readonly RecordValue[],
    startMs: number,
  ): { readonly fresh: readonly RecordValue[]; readonly rows: readonly SeenRow[] } {
    const rows: SeenRow[] = [];
    const fresh = records.filter((each) => {
      const id = this.#facts.idOf(each);
      if (id === undefined) return true;
      const record = readBack(each);
      const digest = contentDigest(record);
      if (mayComeAgain(this.#facts.stampOf(record), startMs)) {
        this.#seen.add(id, digest);
        rows.push([id, digest.toString('base64')]);
      }
      this.#read.add(id, digest);
      return !this.#isRepeat(id, digest);
    });
    return { fresh, rows };
  }

  /** Adds rows that the interrupted run has written. */
  recall(rows: readonly SeenRow[]): void {
    for (const [id, text] of rows) {
      const digest = Buffer.from(text, 'base64');
      this.#seen.add(id, digest);
      this.#read.add(id, digest);
    }
  }

  /** From here on, also drops what this run has read and that looks the same: the list is read again. */
  again(): void {
    this.#readBefore = new RowIndex(this.#read.rows());
  }

  /** Forgets all rows: the list is read from its beginning. */
  clear(): void {
    this.#seen.clear();
    this.#read.clear();
    this.#readBefore = new RowIndex(noRows);
  }

  /** The rows for the next run, when its window begins where this one ends. */
  rows(): RememberedRows {
    return this.#seen.rows();
  }

  /** The rows for the next run, when its window begins where this one began. */
  allRows(): RememberedRows {
    return this.#read.rows();
  }
}
