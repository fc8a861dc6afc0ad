import type { Postgres } from '../../postgres/connect.js';
import { joined, type Ranges } from '../seqs.js';
import type { Names } from './schema.js';
import type { NumberedSource } from './source.js';
import { jsonIn } from '../damaged.js';

/** A page that a reading of a list found. */
export interface FoundPage {
  readonly reading: number;
  readonly number: number;
  /** Empty for a page that must not be taken for the same again. */
  readonly signature: string;
  /** Its rows. */
  readonly seqs: Ranges;
}

const rangesIn = (text: string | null | undefined): Ranges => jsonIn(text ?? '[]') as Ranges;

/** The pages of the last sync of a source, and those that the one under way has found. */
export class Pages {
  readonly #postgres: Postgres;
  readonly #names: Names;
  readonly #source: number;
  /** Signatures of the last sync by number. */
  readonly #signatures: ReadonlyMap<number, string>;
  /** The pages that have a line of this sync, so that the others need no question. */
  readonly #found: Set<string>;

  private constructor(
    postgres: Postgres,
    names: Names,
    known: { source: number; signatures: ReadonlyMap<number, string>; found: Set<string> },
  ) {
    this.#postgres = postgres;
    this.#names = names;
    this.#source = known.source;
    this.#signatures = known.signatures;
    this.#found = known.found;
  }

  static async of(
    postgres: Postgres,
    { names, source: { id } }: { names: Names; source: NumberedSource },
  ): Promise<Pages> {
    const last = await postgres.rows(`SELECT number, signature FROM ${names.own('_pages')} WHERE source = $1`, [id]);
    const own = await postgres.rows(`SELECT reading, number FROM ${names.own('_pass_pages')} WHERE source = $1`, [id]);
    return new Pages(postgres, names, {
      source: id,
      signatures: new Map(last.map(([number, signature]) => [Number(number), signature ?? ''])),
      found: new Set(own.map(([reading, number]) => `${reading} ${number}`)),
    });
  }

  /** The rows that the last sync found on a page; undefined when it had another signature. */
  async same(number: number, signature: string): Promise<Ranges | undefined> {
    if (this.#signatures.get(number) !== signature) return undefined;
    return this.#last(number);
  }

  /**
   * The rows that a reading found on a page before: it was the last before an interruption, and has moved since.
   * @param lastPage the page where the reading is
   */
  async found(
    { reading, number }: Pick<FoundPage, 'reading' | 'number'>,
    lastPage: number,
  ): Promise<Ranges | undefined> {
    const { own } = this.#names;
    if (this.#found.has(`${reading} ${number}`)) {
      const sql = `SELECT seqs FROM ${own('_pass_pages')} WHERE source = $1 AND reading = $2 AND number = $3`;
      return rangesIn((await this.#postgres.first(sql, [this.#source, reading, number]))?.[0]);
    }
    // A page that was the same as in the last sync has no line of its own.
    return reading === 1 && number <= lastPage ? this.#last(number) : undefined;
  }

  async #last(number: number): Promise<Ranges> {
    const sql = `SELECT seqs FROM ${this.#names.own('_pages')} WHERE source = $1 AND number = $2`;
    return rangesIn((await this.#postgres.first(sql, [this.#source, number]))?.[0]);
  }

  /** Keeps what a reading found on a page; of one that it found before, both. */
  async keep({ reading, number, signature, seqs: found }: FoundPage, before?: Ranges): Promise<void> {
    // Rows of both were seen. Such a reading is never the last: the next sync compares nothing with its pages.
    const seqs = before === undefined ? found : joined(before, found);
    await this.#postgres.run(
      `INSERT INTO ${this.#names.own('_pass_pages')} (source, reading, number, signature, seqs) VALUES ($1, $2, $3, $4, $5) ` +
        'ON CONFLICT (source, reading, number) DO UPDATE SET signature = excluded.signature, seqs = excluded.seqs',
      [this.#source, reading, number, signature, JSON.stringify(seqs)],
    );
    this.#found.add(`${reading} ${number}`);
  }

  /** The last sync may have begun at a lower page: this one shows none of its rows there. */
  async emptyBefore(first: number): Promise<void> {
    for (const number of this.#signatures.keys()) {
      if (number < first) await this.keep({ reading: 1, number, signature: '', seqs: [] });
    }
  }

  /** The rows of all pages that one reading of this sync has found. */
  async ofReading(reading: number): Promise<readonly Ranges[]> {
    const sql = `SELECT seqs FROM ${this.#names.own('_pass_pages')} WHERE source = $1 AND reading = $2`;
    return (await this.#postgres.rows(sql, [this.#source, reading])).map(([seqs]) => rangesIn(seqs));
  }

  /**
   * The rows of all pages that this sync has read.
   * @param lastPage the last page of its first reading, or the one where that is
   */
  async ofAll(lastPage: number): Promise<readonly Ranges[]> {
    const { own } = this.#names;
    const read = `SELECT seqs FROM ${own('_pass_pages')} WHERE source = $1`;
    // A page without a line of its own was the same as in the last sync.
    const same =
      `SELECT seqs FROM ${own('_pages')} p WHERE source = $1 AND number <= $2 AND NOT EXISTS ` +
      `(SELECT 1 FROM ${own('_pass_pages')} o WHERE o.source = p.source AND o.number = p.number AND o.reading = 1)`;
    const rows = [
      ...(await this.#postgres.rows(read, [this.#source])),
      ...(await this.#postgres.rows(same, [this.#source, lastPage])),
    ];
    return rows.map(([seqs]) => rangesIn(seqs));
  }
}
