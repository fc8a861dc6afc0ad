import type { Claim, Page } from '../../client/pages.js';
import type { WalkState } from '../../client/paging.js';
import { contentsOf } from '../../client/rows/rendered.js';
import { badAnswer } from '../../errors/bad-answer.js';
import type { RecordValue } from '../../plain/value.js';
import type { Postgres } from '../../postgres/connect.js';
import { hashText, parametersOf } from '../content.js';
import { placeBehind, type Place } from '../pass-state.js';
import { isRestless, isToBeReadAgain } from '../readings.js';
import { chooseRows, type KnownRows } from '../row-choice.js';
import { rangesOf, SeqSet, type Ranges } from '../seqs.js';
import { tableOf, type Difference, type Pass } from '../store.js';
import { idKeyOf, idOfRecord, type MirrorTable } from '../tables.js';
import { knownRows } from './known.js';
import type { Pages } from './pages.js';
import type { Names } from './schema.js';
import type { NumberedSource } from './source.js';
import { stageRows, unstageRows, type StagedRow } from './staging.js';
import { swapIn } from './swap.js';

/** A sync as the database keeps it. */
export interface Begun {
  readonly startedAt: string;
  readonly reading: number;
  readonly place: Place | undefined;
  /** The last page of the first reading, in later ones; else -1. */
  readonly lastOfFirst: number;
  /** The largest number of a row, staged or not. */
  readonly lastSeq: number;
  readonly pages: Pages;
  /** The rows that it has seen, and those that the reading under way has shown. */
  readonly seen: SeqSet;
  readonly placed: SeqSet;
  readonly resume: WalkState | undefined;
}

/** A sync of one source into a mirror in PostgreSQL. */
export class PostgresPass implements Pass {
  readonly startedAt: string;
  readonly rowsBefore: number;
  readonly #postgres: Postgres;
  readonly #names: Names;
  readonly #source: NumberedSource;
  readonly #table: MirrorTable;
  readonly #idOf: ReturnType<typeof idOfRecord>;
  readonly #pages: Pages;
  readonly #seen: SeqSet;
  /** The rows that the reading under way has shown so far. */
  #placed: SeqSet;
  #reading: number;
  #place: Place | undefined;
  #resume: WalkState | undefined;
  #lastOfFirst: number;
  #nextSeq: number;
  /** What the last reading came to: how many rows are gone, and those that only passed. */
  #gone = 0;
  #passing: Ranges = [];

  constructor(postgres: Postgres, { names, source }: { names: Names; source: NumberedSource }, begun: Begun) {
    this.#postgres = postgres;
    this.#names = names;
    this.#source = source;
    this.#table = tableOf(source);
    this.#idOf = idOfRecord(this.#table);
    this.#pages = begun.pages;
    this.#seen = begun.seen;
    this.#placed = begun.placed;
    this.#reading = begun.reading;
    this.#place = begun.place;
    this.#lastOfFirst = begun.lastOfFirst;
    this.#nextSeq = begun.lastSeq + 1;
    this.startedAt = begun.startedAt;
    this.rowsBefore = source.last?.rows ?? 0;
    this.#resume = begun.resume;
  }

  get resume(): WalkState | undefined {
    return this.#resume;
  }

  async take(page: Page): Promise<void> {
    await this.#postgres.transaction(async () => {
      if (this.#place === undefined && this.#reading === 1) await this.#pages.emptyBefore(page.number);
      const seqs = (await this.#sameAsBefore(page)) ?? (await this.#taken(page));
      this.#seen.addAll(seqs);
      this.#placed.addAll(seqs);
      this.#place = placeBehind(this.#place, page, this.#idOf);
      const sql = `UPDATE ${this.#names.own('_passes')} SET state = $1 WHERE source = $2`;
      await this.#postgres.run(sql, [JSON.stringify(this.#place), this.#source.id]);
    });
  }

  /** The rows of a page that has not changed since the last sync; undefined for any other. */
  async #sameAsBefore({ number, signature, duplicates }: Page): Promise<Ranges | undefined> {
    const seqs = duplicates > 0 ? undefined : await this.#pages.same(number, signature);
    if (seqs === undefined) return undefined;
    const before = await this.#found(number);
    // A record without an Id on an earlier page took a row of this one.
    if (before === undefined && this.#isPlaced(seqs)) return undefined;
    if (this.#reading > 1 || before !== undefined) {
      // What this sync found of these rows before holds no longer.
      await this.#unstage(seqs);
      await this.#pages.keep({ reading: this.#reading, number, signature, seqs }, before);
    }
    return seqs;
  }

  #found(number: number): Promise<Ranges | undefined> {
    return this.#pages.found({ reading: this.#reading, number }, this.#place?.lastPage ?? -1);
  }

  #isPlaced(ranges: Ranges): boolean {
    for (const [first, last] of ranges) {
      for (let seq = first; seq <= last; seq += 1) if (this.#placed.has(seq)) return true;
    }
    return false;
  }

  /** Stages what is new or changed of a page; gives its rows. */
  async #taken({ records, number, signature, duplicates, changed = 0 }: Page): Promise<Ranges> {
    const before = await this.#found(number);
    const known = await this.#known(records, changed > 0 || before !== undefined);
    const { seqs, rows, unstaged } = this.#chosen(records, known, before ?? []);
    await this.#unstage(rangesOf(unstaged));
    const parameters = parametersOf(this.#source.input);
    await stageRows(this.#postgres, this.#names, { table: this.#table, rows, parameters });
    // A page with records that came before does not show all that belongs to it: it must not be taken for the same again.
    const kept = duplicates > 0 ? '' : signature;
    await this.#pages.keep({ reading: this.#reading, number, signature: kept, seqs }, before);
    return seqs;
  }

  /** The rows of the records of a page, those of them that are to be staged, and the numbers of which nothing may stay staged. */
  #chosen(records: readonly RecordValue[], known: KnownRows, before: Ranges) {
    const again = new SeqSet();
    again.addAll(before);
    const contents = contentsOf(records);
    const keys = records.map((record, at) => ({ id: this.#idOf(record), hash: hashText(contents, at) }));
    const isPlaced = (seq: number): boolean => this.#placed.has(seq) && !again.has(seq);
    const rows: StagedRow[] = [];
    const unstaged: number[] = [];
    const seqs = chooseRows(keys, known, { identity: this.#table.identity, keyOf: idKeyOf(this.#table), isPlaced }).map(
      (row, at) => {
        const seq = row.seq ?? this.#nextSeq++;
        if (row.dropsStaged) unstaged.push(seq);
        const [record, key] = [records[at], keys[at]];
        if (!row.isKept && record !== undefined && key !== undefined) rows.push({ seq, record, hash: key.hash });
        return seq;
      },
    );
    return { seqs: rangesOf(seqs), rows, unstaged };
  }

  #known(records: readonly RecordValue[], hasChanged: boolean): Promise<KnownRows> {
    const ids = [...new Set(records.map((record) => this.#idOf(record) ?? ''))];
    const inStaged = hasChanged || this.#reading > 1;
    const inWhole = this.#source.syncedAt !== undefined;
    const asked = { table: this.#table, source: this.#source.id, ids, inStaged, inWhole };
    return knownRows(this.#postgres, this.#names, asked);
  }

  #unstage(seqs: Ranges): Promise<void> {
    return unstageRows(this.#postgres, this.#names, { table: this.#table, seqs });
  }

  async ended(claim: Claim): Promise<{ readonly missing: number; readonly isRestless: boolean }> {
    const { id, name } = this.#source;
    const moved = isRestless(claim, this.#table.identity);
    const missing = await this.#missing();
    const again = isToBeReadAgain({ reading: this.#reading, missing, isRestless: moved, shifted: claim.shifted });
    if (!again && this.#table.identity === 'id' && claim.changed > 0) {
      // This one would end so again.
      await this.forget();
      throw badAnswer(
        'page-stale',
        `${claim.changed} records of ${name} came with two contents each time that the list was read`,
      );
    }
    if (!again) {
      this.#gone = missing;
      if (this.#reading > 1 && !moved) await this.#leaveOutPassing();
      return { missing: 0, isRestless: false };
    }
    if (this.#reading === 1) this.#lastOfFirst = this.#place?.lastPage ?? -1;
    this.#reading += 1;
    this.#place = undefined;
    this.#resume = undefined;
    this.#placed = new SeqSet(this.#nextSeq);
    await this.#postgres.run(
      `UPDATE ${this.#names.own('_passes')} SET reading = $1, state = NULL, last_page = $2 WHERE source = $3`,
      [this.#reading, this.#lastOfFirst, id],
    );
    return { missing, isRestless: moved };
  }

  /**
   * Leaves out new rows of earlier readings that the last one, at rest, did not show: they came and went while the list was
   * read. They stay staged until the swap, so that a sync that is killed before it finds all as it was.
   */
  async #leaveOutPassing(): Promise<void> {
    const fresh = await this.#postgres.rows(`SELECT s._seq ${this.#fresh}`);
    const passing = fresh.map(([seq]) => Number(seq)).filter((seq) => !this.#placed.has(seq));
    for (const seq of passing) this.#seen.delete(seq);
    this.#passing = rangesOf(passing);
  }

  /** The staged rows that are not there in the mirror, as the end of a question. */
  get #fresh(): string {
    const { whole, staged } = this.#names;
    const { name } = this.#table;
    return `FROM ${staged(name)} s WHERE NOT EXISTS (SELECT 1 FROM ${whole(name)} a WHERE a._seq = s._seq AND a._gone_at IS NULL)`;
  }

  /** Rows that are there in the mirror and were not shown. */
  async #missing(): Promise<number> {
    // Only a swap changes what is there, and it keeps the count: counting would read the whole table.
    if (this.rowsBefore === 0) return 0;
    const fresh = await this.#postgres.first(`SELECT count(*) ${this.#fresh}`);
    return this.rowsBefore - (this.#seen.size - Number(fresh?.[0]));
  }

  async forget(): Promise<void> {
    await this.#postgres.run(`DELETE FROM ${this.#names.own('_passes')} WHERE source = $1`, [this.#source.id]);
  }

  rowsAfter(): Promise<number> {
    return Promise.resolve(this.#seen.size);
  }

  async swap(endedAt: string): Promise<Difference> {
    return swapIn(this.#postgres, {
      names: this.#names,
      table: this.#table,
      source: this.#source,
      seen: this.#seen,
      startedAt: this.startedAt,
      endedAt,
      reading: this.#reading,
      lastPage: this.#place?.lastPage ?? 0,
      missing: this.#gone,
      passing: this.#passing,
    });
  }
}
