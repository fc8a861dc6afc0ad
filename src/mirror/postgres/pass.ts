import type { Claim, Page } from '../../client/pages.js';
import type { WalkState } from '../../client/paging.js';
import { contentsOf } from '../../client/rendered.js';
import { badAnswer } from '../../errors/bad-answer.js';
import type { RecordValue } from '../../plain/value.js';
import type { Postgres } from '../../postgres/connect.js';
import { valueAt } from '../../tables/cells.js';
import { hashText, parametersOf } from '../content.js';
import { isRestless, isToBeReadAgain } from '../readings.js';
import { rangesOf, type Ranges, type SeqSet } from '../seqs.js';
import { placeBehind, type Place } from '../pass-state.js';
import type { Difference, Pass } from '../store.js';
import { tableNamed, type MirrorTable, type Parameters } from '../tables.js';
import { knownRows, type KnownRow } from './known.js';
import { quoted, type Names } from './schema.js';
import type { NumberedSource } from './source.js';
import { stageRows, type StagedRow } from './staging.js';
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
  /** The rows that it has seen. */
  readonly seen: SeqSet;
  readonly resume: WalkState | undefined;
  /** Signatures of the pages of the sync before, by number. */
  readonly signatures: ReadonlyMap<number, string>;
}

/** What a page brings: which rows are on it, those that are to be staged, and those that no longer are. */
interface Taken {
  readonly seqs: Ranges;
  readonly rows: readonly StagedRow[];
  readonly unstaged: Ranges;
}

/** A sync of one source into a mirror in PostgreSQL. */
export class PostgresPass implements Pass {
  readonly startedAt: string;
  readonly rowsBefore: number;
  readonly resume: WalkState | undefined;
  readonly #postgres: Postgres;
  readonly #names: Names;
  readonly #source: NumberedSource;
  readonly #table: MirrorTable;
  readonly #parameters: Parameters;
  readonly #signatures: ReadonlyMap<number, string>;
  readonly #seen: SeqSet;
  #reading: number;
  #place: Place | undefined;
  #lastOfFirst: number;
  #nextSeq: number;

  constructor(postgres: Postgres, { names, source }: { names: Names; source: NumberedSource }, begun: Begun) {
    this.#postgres = postgres;
    this.#names = names;
    this.#source = source;
    this.#table = tableNamed(source.table);
    this.#parameters = parametersOf(source.input);
    this.#signatures = begun.signatures;
    this.#seen = begun.seen;
    this.#reading = begun.reading;
    this.#place = begun.place;
    this.#lastOfFirst = begun.lastOfFirst;
    this.#nextSeq = begun.lastSeq + 1;
    this.startedAt = begun.startedAt;
    this.rowsBefore = source.last?.rows ?? 0;
    this.resume = begun.resume;
  }

  readonly idOf = (record: RecordValue): string | undefined => {
    const id = valueAt(record, this.#table.idColumn.split('_'));
    return typeof id === 'string' ? id : undefined;
  };

  async take(page: Page): Promise<void> {
    const taken = (await this.#sameAsBefore(page)) ?? (await this.#taken(page));
    const place = placeBehind(this.#place, page, this.idOf);
    const isPlain = page.duplicates === 0 && (page.changed ?? 0) === 0;
    const isSame = isPlain && this.#signatures.get(page.number) === page.signature;
    await this.#postgres.transaction(async () => {
      for (const [first, last] of taken.unstaged) await this.#unstage(first, last);
      await stageRows(this.#postgres, this.#names, { ...taken, table: this.#table, parameters: this.#parameters });
      // A page that is the same needs no line in the first reading: that of the sync before stays.
      // One with records that came before does not show all that belongs to it: it must not be taken for the same again.
      if (!isSame || this.#reading > 1) await this.#keepPage(page.number, isPlain ? page.signature : '', taken.seqs);
      await this.#keepPlace(place);
    });
    this.#seen.addAll(taken.seqs);
    this.#place = place;
  }

  /** The rows of a page that has not changed since the last sync; undefined for any other. */
  async #sameAsBefore({ number, signature, duplicates }: Page): Promise<Taken | undefined> {
    if (duplicates > 0 || this.#signatures.get(number) !== signature) return undefined;
    const sql = `SELECT seqs FROM ${this.#names.own('_pages')} WHERE source = $1 AND number = $2`;
    const kept = await this.#postgres.first(sql, [this.#source.id, number]);
    const seqs = JSON.parse(kept?.[0] ?? '[]') as Ranges;
    // What this sync found of these rows before holds no longer.
    return { seqs, rows: [], unstaged: this.#reading > 1 || this.resume !== undefined ? seqs : [] };
  }

  /** Throws `bad-answer` for records that their Id does not tell apart: which row is whose would be a guess. */
  #refuseTwins(records: readonly RecordValue[], contents: Uint32Array): void {
    const isContent = this.#table.identity === 'content';
    const keys = records.map((record, at) => {
      const id = this.idOf(record)?.toLowerCase();
      return id === undefined || !isContent ? id : `${id} ${hashText(contents, at)}`;
    });
    if (keys.every((key) => key !== undefined) && new Set(keys).size === keys.length) return;
    const words = keys.includes(undefined) ? 'records without an Id' : 'several records with one Id on a page';
    throw badAnswer(
      'page-stale',
      `${this.#source.name} has ${words}, which a mirror in PostgreSQL cannot tell apart: use one in a file`,
    );
  }

  /** What is new or changed of a page. */
  async #taken({ records, changed = 0 }: Page): Promise<Taken> {
    const contents = contentsOf(records);
    this.#refuseTwins(records, contents);
    const known = await this.#known(records, changed > 0);
    const rows = new Map<number, StagedRow>();
    const unstaged: number[] = [];
    const seqs = records.map((record, at) => {
      const { seq, isKept, isStaged } = this.#rowFor(record, hashText(contents, at), known);
      if (isStaged) unstaged.push(seq);
      // Of two contents of one record on a page the last one stays, as a reading that goes on would have it.
      if (!isKept) rows.set(seq, { seq, record, hash: hashText(contents, at) });
      return seq;
    });
    return { seqs: rangesOf(seqs), rows: [...rows.values()], unstaged: rangesOf(unstaged) };
  }

  /** The row of a record: whether it stays as it is, and whether what was staged of it has to go. */
  #rowFor(record: RecordValue, hash: string, known: Map<string, readonly KnownRow[]>) {
    const key = (this.idOf(record) ?? '').toLowerCase();
    const rows = known.get(key) ?? [];
    const ofHash = rows.filter((row) => row.hash === hash);
    const same = ofHash.find((row) => !row.isGone);
    const isStaged = (seq: number): boolean => rows.some((row) => row.isStaged && row.seq === seq);
    if (same !== undefined && (same.isStaged || !isStaged(same.seq))) {
      return { seq: same.seq, isKept: true, isStaged: false };
    }
    const [earlier] = this.#table.identity === 'id' ? rows : ofHash;
    const seq = earlier === undefined ? this.#nextSeq++ : earlier.seq;
    known.set(key, [...rows, { seq, hash, isGone: false, isStaged: true }]);
    return { seq, isKept: false, isStaged: isStaged(seq) };
  }

  async #known(records: readonly RecordValue[], hasChanged: boolean): Promise<Map<string, readonly KnownRow[]>> {
    const inStaged = hasChanged || this.#reading > 1;
    const inWhole = this.#source.syncedAt !== undefined;
    if (!inStaged && !inWhole) return new Map();
    const ids = [...new Set(records.map((record) => this.idOf(record) ?? ''))];
    const asked = { table: this.#table, source: this.#source.id, ids, inStaged, inWhole };
    return knownRows(this.#postgres, this.#names, asked);
  }

  async #unstage(first: number, last: number): Promise<void> {
    const { name, lists } = this.#table;
    const staged = this.#names.staged;
    await this.#postgres.run(`DELETE FROM ${staged(name)} WHERE _seq BETWEEN $1 AND $2`, [first, last]);
    for (const list of lists) {
      await this.#postgres.run(`DELETE FROM ${staged(list.name)} WHERE _owner BETWEEN $1 AND $2`, [first, last]);
    }
  }

  async #keepPage(number: number, signature: string, seqs: Ranges): Promise<void> {
    await this.#postgres.run(
      `INSERT INTO ${this.#names.own('_pass_pages')} AS p (source, reading, number, signature, seqs) VALUES ($1, $2, $3, $4, $5) ` +
        // A page that has moved since an interruption comes twice: rows of both were seen, and no page has all of them.
        "ON CONFLICT (source, reading, number) DO UPDATE SET signature = '', seqs = (p.seqs::jsonb || excluded.seqs::jsonb)::text",
      [this.#source.id, this.#reading, number, signature, JSON.stringify(seqs)],
    );
  }

  async #keepPlace(place: Place): Promise<void> {
    const sql = `UPDATE ${this.#names.own('_passes')} SET state = $1 WHERE source = $2`;
    await this.#postgres.run(sql, [JSON.stringify(place), this.#source.id]);
  }

  async ended(claim: Claim): Promise<{ readonly missing: number; readonly isRestless: boolean }> {
    const { id, name } = this.#source;
    const moved = isRestless(claim, this.#table.identity);
    const missing = await this.#missing();
    const again = isToBeReadAgain({ reading: this.#reading, missing, isRestless: moved });
    if (!again && this.#table.identity === 'id' && claim.changed > 0) {
      // The next sync begins anew: this one would end so again.
      await this.#postgres.run(`DELETE FROM ${this.#names.own('_passes')} WHERE source = $1`, [id]);
      throw badAnswer(
        'page-stale',
        `${claim.changed} records of ${name} came with two contents each time that the list was read`,
      );
    }
    if (!again) return { missing: 0, isRestless: false };
    if (this.#reading === 1) this.#lastOfFirst = this.#place?.lastPage ?? -1;
    this.#reading += 1;
    this.#place = undefined;
    await this.#postgres.run(
      `UPDATE ${this.#names.own('_passes')} SET reading = $1, state = NULL, last_page = $2 WHERE source = $3`,
      [this.#reading, this.#lastOfFirst, id],
    );
    const { name: table, idColumn } = this.#table;
    // Only a reading that looks at staged rows needs their index: the first of a sync does not.
    await this.#postgres.execute(
      `CREATE INDEX IF NOT EXISTS ${quoted(`_stage_${table}_by_id`)} ON ${this.#names.staged(table)} (${quoted(idColumn)})`,
    );
    return { missing, isRestless: moved };
  }

  /** Rows that are there in the mirror and were not shown. */
  async #missing(): Promise<number> {
    const whole = this.#names.whole(this.#table.name);
    const counted = `SELECT count(*) FROM ${whole} WHERE _source = $1 AND _gone_at IS NULL`;
    const [there] = (await this.#postgres.first(counted, [this.#source.id])) ?? [];
    const [fresh] =
      (await this.#postgres.first(
        `SELECT count(*) FROM ${this.#names.staged(this.#table.name)} s WHERE NOT EXISTS ` +
          `(SELECT 1 FROM ${whole} a WHERE a._seq = s._seq AND a._gone_at IS NULL)`,
      )) ?? [];
    return Number(there) - (this.#seen.size - Number(fresh));
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
      missing: await this.#missing(),
    });
  }
}
