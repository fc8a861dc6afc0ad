import type { RecordValue } from '../../plain/value.js';
import { contentDigest } from './digest.js';
import { isSame, noRows, RowCollector, RowIndex, type RememberedRows } from './rows.js';
import { mayComeAgain } from './window.js';

/** What is told of the records of a list. */
export interface RecordFacts {
  readonly idOf: (record: RecordValue) => string | undefined;
  /** When a record was changed, where it tells. */
  readonly stampOf: (record: RecordValue) => string | undefined;
}

/** Id and digest, in base64. */
export type SeenRow = readonly [id: string, digest: string];

/** Tells what a window brings that the run before has not written, and remembers what the next one may bring again. */
export class ChangeFilter {
  readonly #facts: RecordFacts;
  readonly #prior: RowIndex;
  readonly #touched = new Set<string>();
  readonly #seen = new RowCollector();
  /** All that this run has read, whether it may come again or not. */
  readonly #read = new RowCollector();
  #readBefore = new RowIndex(noRows);
  #touchesAll = false;

  /** @param prior what the run before wrote, as far as it may come again */
  constructor(prior: RememberedRows, facts: RecordFacts) {
    this.#facts = facts;
    this.#prior = new RowIndex(prior);
  }

  /** True when something may be a repeat. */
  get hasPrior(): boolean {
    return this.#prior.size > 0;
  }

  /** Records that are known to have changed since the run before: they are no repeats, however much they look like it. */
  touch(records: readonly RecordValue[]): void {
    for (const record of records) {
      const id = this.#facts.idOf(record);
      if (id !== undefined) this.#touched.add(id.toLowerCase());
    }
  }

  /** Nothing is known for a repeat: which records changed could not be told. */
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
   * @param startMs from where on the next window may reach, in milliseconds since 1970
   */
  take(
    records: readonly RecordValue[],
    startMs: number,
  ): { readonly fresh: readonly RecordValue[]; readonly rows: readonly SeenRow[] } {
    const rows: SeenRow[] = [];
    const fresh = records.filter((record) => {
      const id = this.#facts.idOf(record);
      if (id === undefined) return true;
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

  /** Remembers rows that an interrupted run has written. */
  recall(rows: readonly SeenRow[]): void {
    for (const [id, text] of rows) {
      const digest = Buffer.from(text, 'base64');
      this.#seen.add(id, digest);
      this.#read.add(id, digest);
    }
  }

  /** From here on what this run has read is a repeat as well, as far as it looks the same: the list is read again. */
  again(): void {
    this.#readBefore = new RowIndex(this.#read.rows());
  }

  /** Forgets what was seen: the list is read anew. */
  clear(): void {
    this.#seen.clear();
    this.#read.clear();
    this.#readBefore = new RowIndex(noRows);
  }

  /** What the next run has to know, when its window begins behind this one. */
  rows(): RememberedRows {
    return this.#seen.rows();
  }

  /** The same when its window begins where this one did. */
  allRows(): RememberedRows {
    return this.#read.rows();
  }
}
