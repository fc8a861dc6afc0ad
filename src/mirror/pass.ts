import type { Claim, Page } from '../client/pages.js';
import { guidWords, writeIdWords } from '../client/ids/guid-table.js';
import type { WalkState } from '../client/paging.js';
import { contentWords } from '../core/values/content-hash.js';
import { contentsOf, rowId, type PageKeys, type Row as ListRow } from '../client/rows/row.js';
import { badAnswer } from '../core/errors/relctl-error.js';
import { BitSet, joined, rangesOf, type Ranges } from '../core/values/bit-set.js';
import type { Database, Row } from '../state/sqlite/open.js';
import type { Cell } from '../contract/columns.js';
import { indexFor, type IndexAside } from './index-aside.js';
import { chooseRows, knownRows, type KnownRows, type RecordKey } from './known-rows.js';
import { beginPass, isRestless as hasMoved, progressAfter, type PassStart, type PassState } from './pass-state.js';
import { staged, allRows } from './schema.js';
import { tableOf, type SyncCounts, type SourceState } from './sources.js';
import { hashText, stagingFor, unstageRows, type RowWriter, swapIn } from './staging.js';
import { jsonIn, idOfRecord, isWithoutId, type MirrorTable } from './tables.js';

const mostReadings = 3;

/**
 * A sync of one source. It reads the list once, or again to confirm that records are gone or because records moved while it
 * was read. What it was given is kept, page by page, and becomes visible at once by `swap`.
 */
export class Pass {
  readonly rowsBefore: number;
  readonly #database: Database;
  readonly #source: SourceState;
  readonly #table: MirrorTable;
  readonly #staged: string;
  readonly #whole: string;
  readonly #idOf: ReturnType<typeof idOfRecord>;
  readonly #state: PassState;
  readonly #staging: RowWriter;
  readonly #index: IndexAside | undefined;
  readonly #seen: BitSet;
  #placed: BitSet;
  #nextSeq: number;
  /** What the last reading came to: how many rows are gone, and those that only passed. */
  #gone = 0;
  #passing: Ranges = [];
  #signatures: Map<number, string> | undefined;

  /** Begins a sync, or goes on with the one that was interrupted when its calls were the same. Throws `local`. */
  constructor(database: Database, source: SourceState, start: PassStart) {
    this.#state = beginPass(database, source, start);
    this.#database = database;
    this.#source = source;
    this.#table = tableOf(source);
    [this.#staged, this.#whole] = [staged(this.#table.name), allRows(this.#table.name)];
    this.#idOf = idOfRecord(this.#table);
    this.rowsBefore = source.last?.rows ?? 0;
    this.#staging = stagingFor(database, source, this.#state.startedAt);
    this.#index = indexFor(database, this.#table);
    const lastSeqs = [this.#whole, this.#staged].map((name) =>
      Number(this.#one(`SELECT max("_seq") FROM "${name}"`) ?? 0),
    );
    this.#nextSeq = Math.max(...lastSeqs) + 1;
    this.#seen = new BitSet(this.#nextSeq);
    for (const ranges of this.#keptPages()) this.#seen.addAll(ranges);
    this.#placed = this.#placedInReading();
  }

  get startedAt(): string {
    return this.#state.startedAt;
  }

  #one(sql: string, ...values: readonly Cell[]): Cell {
    return this.#database.statement(sql).first(...values)?.[0] ?? null;
  }

  *#keptPages(): Generator<Ranges> {
    const { id } = this.#source;
    const own = this.#database.statement('SELECT seqs FROM "_pass_pages" WHERE source = ?');
    for (const [seqs] of own.all(id)) yield jsonIn(String(seqs)) as Ranges;
    // A page without a line of its own was the same as in the sync before.
    const last = this.#state.reading > 1 ? this.#state.lastOfFirst : (this.#state.progress?.lastPage ?? -1);
    const same =
      'SELECT seqs FROM "_pages" p WHERE source = ? AND number <= ? AND NOT EXISTS ' +
      '(SELECT 1 FROM "_pass_pages" o WHERE o.source = p.source AND o.number = p.number AND o.reading = 1)';
    for (const [seqs] of this.#database.statement(same).all(id, last)) yield jsonIn(String(seqs)) as Ranges;
  }

  /** Where an interrupted sync goes on; undefined for the beginning of a list. */
  get resume(): WalkState | undefined {
    if (this.#state.progress === undefined) return undefined;
    return { ...this.#state.progress, keys: this.#keys() };
  }

  /** Ids and hashes of the records that this reading has seen; in a second reading, those of the first count too. */
  *#keys(): Generator<PageKeys> {
    const { idColumn } = this.#table;
    const hasId = `NOT (${isWithoutId(this.#table)})`;
    const columns = `"_seq", "${idColumn}", "_hash"`;
    const keys = { ids: new Uint32Array(guidWords), contents: new Uint32Array(contentWords) };
    const keysOf = ([, id, hash]: Row): PageKeys => {
      writeIdWords(String(id), keys.ids);
      keys.contents[0] = Number.parseInt(String(hash).slice(0, 8), 16);
      keys.contents[1] = Number.parseInt(String(hash).slice(8), 16);
      return keys;
    };
    const carried = `SELECT ${columns} FROM "${this.#whole}" WHERE "_source" = ? AND ${hasId} AND "_seq" NOT IN (SELECT "_seq" FROM "${this.#staged}")`;
    for (const row of this.#database.statement(carried).each(this.#source.id))
      if (this.#placed.has(Number(row[0]))) yield keysOf(row);
    const fresh = `SELECT ${columns} FROM "${this.#staged}" WHERE ${hasId}`;
    for (const row of this.#database.statement(fresh).each()) if (this.#placed.has(Number(row[0]))) yield keysOf(row);
  }

  #placedInReading(): BitSet {
    if (this.#state.reading === 1) return this.#seen;
    const placed = new BitSet(this.#nextSeq);
    const sql = 'SELECT seqs FROM "_pass_pages" WHERE source = ? AND reading = ?';
    for (const [seqs] of this.#database.statement(sql).all(this.#source.id, this.#state.reading))
      placed.addAll(jsonIn(String(seqs)) as Ranges);
    return placed;
  }

  /** Keeps the new and changed records of a page, and how far the list is read. Throws `local`. */
  take(page: Page): void {
    this.#database.write(() => {
      if (this.#state.progress === undefined && this.#state.reading === 1) this.#emptyPagesBefore(page);
      const seqs = this.#sameAsBefore(page) ?? this.#acceptPage(page);
      this.#seen.addAll(seqs);
      this.#placed.addAll(seqs);
      this.#state.progress = progressAfter(this.#state.progress, page, this.#idOf);
      this.#database
        .statement('UPDATE "_passes" SET state = ? WHERE source = ?')
        .run(JSON.stringify(this.#state.progress), this.#source.id);
    });
    this.#index?.committed(this.#nextSeq - 1);
  }

  /** The last sync may have begun at a lower page: this one shows none of its rows there. */
  #emptyPagesBefore({ number }: Page): void {
    const sql =
      'INSERT INTO "_pass_pages" (source, reading, number, signature, seqs) ' +
      "SELECT source, 1, number, '', '[]' FROM \"_pages\" WHERE source = ? AND number < ?";
    this.#database.statement(sql).run(this.#source.id, number);
  }

  #sameAsBefore({ number, signature, duplicates }: Page): Ranges | undefined {
    if (duplicates > 0) return undefined;
    this.#signatures ??= this.#readSignatures();
    if (this.#signatures.get(number) !== signature) return undefined;
    const sql = 'SELECT seqs FROM "_pages" WHERE source = ? AND number = ?';
    const carried = String(this.#one(sql, this.#source.id, number) ?? '[]');
    const ranges = jsonIn(carried) as Ranges;
    const before = this.#rangesOfPage(number);
    // A record without an Id on an earlier page took a row of this one.
    if (before === undefined && this.#isPlaced(ranges)) return undefined;
    const isSecond = this.#state.reading > 1 || before !== undefined;
    if (isSecond) {
      // What this sync found of these rows before holds no longer.
      this.#unstage(ranges);
      this.#storePage({ number, signature }, ranges);
    }
    return ranges;
  }

  #isPlaced(ranges: Ranges): boolean {
    for (const [first, last] of ranges) {
      for (let seq = first; seq <= last; seq += 1) if (this.#placed.has(seq)) return true;
    }
    return false;
  }

  #readSignatures(): Map<number, string> {
    const sql = 'SELECT number, signature FROM "_pages" WHERE source = ?';
    const rows = this.#database.statement(sql).all(this.#source.id);
    return new Map(rows.map(([number, signature]) => [Number(number), String(signature)]));
  }

  #unstage(seqs: Ranges): void {
    this.#index?.giveUp();
    unstageRows(this.#database, this.#table, seqs);
  }

  /** The rows that this reading found on a page before: it was the last before an interruption, and has moved since. */
  #rangesOfPage(number: number): Ranges | undefined {
    const { id } = this.#source;
    const own = 'SELECT seqs FROM "_pass_pages" WHERE source = ? AND reading = ? AND number = ?';
    const found = this.#one(own, id, this.#state.reading, number);
    // A page that was the same as in the sync before has no line of its own.
    const isSame = found === null && this.#state.reading === 1 && number <= (this.#state.progress?.lastPage ?? -1);
    const seqs = isSame ? this.#one('SELECT seqs FROM "_pages" WHERE source = ? AND number = ?', id, number) : found;
    return seqs === null ? undefined : (jsonIn(String(seqs)) as Ranges);
  }

  #storePage({ number, signature }: Pick<Page, 'number' | 'signature'>, ranges: Ranges): void {
    const before = this.#rangesOfPage(number);
    // Rows of both were seen. Such a reading is never the last: the next sync compares nothing with its pages.
    const seqs = before === undefined ? ranges : joined(before, ranges);
    this.#database
      .statement(
        'INSERT OR REPLACE INTO "_pass_pages" (source, reading, number, signature, seqs) VALUES (?, ?, ?, ?, ?)',
      )
      .run(this.#source.id, this.#state.reading, number, signature, JSON.stringify(seqs));
  }

  #acceptPage(page: Page): Ranges {
    const { records, number, signature, duplicates, changed = 0 } = page;
    const contents = contentsOf(records);
    const before = this.#rangesOfPage(number);
    const { keys, known } = this.#known(records, contents, changed > 0 || before !== undefined);
    const seqs = this.#rowsFor(records, keys, { known, before });
    this.#staging.flush();
    const ranges = rangesOf(seqs);
    // A page with records that came before does not show all that belongs to it: it must not be taken for the same again.
    this.#storePage({ number, signature: duplicates > 0 ? '' : signature }, ranges);
    return ranges;
  }

  #rowsFor(
    records: readonly ListRow[],
    keys: readonly RecordKey[],
    { known, before = [] }: { readonly known: KnownRows; readonly before: Ranges | undefined },
  ): readonly number[] {
    const again = new BitSet();
    again.addAll(before);
    const isPlaced = (seq: number): boolean => this.#placed.has(seq) && !again.has(seq);
    const rows = chooseRows(keys, known, { table: this.#table, isPlaced });
    return rows.map(({ seq: earlier, isKept: isCarried, dropsStaged }, at) => {
      const seq = earlier ?? this.#nextSeq++;
      if (dropsStaged) this.#unstage([[seq, seq]]);
      const [record, key] = [records[at], keys[at]];
      if (!isCarried && record !== undefined && key !== undefined) this.#staging.add(seq, record, [key.hash]);
      return seq;
    });
  }

  #known(
    records: readonly ListRow[],
    contents: Uint32Array,
    hasChanged: boolean,
  ): { readonly keys: readonly RecordKey[]; readonly known: KnownRows } {
    const tables = { inStaged: hasChanged || this.#state.reading > 1, inWhole: this.#source.syncedAt !== undefined };
    // Where nothing is known, no Id is looked up.
    const isNew = !tables.inStaged && !tables.inWhole;
    const keys = records.map((record, at) => ({
      id: isNew ? undefined : rowId(record, this.#idOf),
      hash: hashText(contents, at),
    }));
    if (isNew) return { keys, known: new Map() };
    const query = { table: this.#table, source: this.#source.id, records: keys };
    return { keys, known: knownRows(this.#database, query, tables) };
  }

  /**
   * Ends a reading of the list. Gives the number of rows that are not confirmed to be gone yet, or true when records moved:
   * then the list is to be read again. 0 and false: `swap` may follow. Throws `bad-answer` for records that do not come to rest.
   */
  ended(claim: Claim): { readonly missing: number; readonly isRestless: boolean } {
    const { reading } = this.#state;
    const isRestless = hasMoved(claim, this.#table.identity);
    const missing = this.#missing();
    // A run goes on with what another one read at its beginning alone, so that each run comes to a reading that is all its own.
    const again = claim.shifted || (isRestless ? reading < mostReadings : missing > 0 && reading === 1);
    if (again) {
      this.#readAgain();
      return { missing, isRestless };
    }
    if (this.#table.identity === 'id' && claim.changed > 0) {
      // The next reading would end so again.
      this.forget();
      const words = `${claim.changed} records of ${this.#source.name} had two different contents in each pass over the list`;
      throw badAnswer('page-stale', words);
    }
    this.#gone = missing;
    if (reading > 1 && !isRestless) this.#leaveOutPassing();
    return { missing: 0, isRestless: false };
  }

  #readAgain(): void {
    const state = this.#state;
    if (state.reading === 1) state.lastOfFirst = state.progress?.lastPage ?? -1;
    state.reading += 1;
    state.progress = undefined;
    this.#placed = new BitSet(this.#nextSeq);
    this.#database
      .statement('UPDATE "_passes" SET reading = ?, state = NULL, last_page = ? WHERE source = ?')
      .run(state.reading, state.lastOfFirst, this.#source.id);
  }

  /**
   * Leaves out new rows of earlier readings that the last one, at rest, did not show: they came and went while the list was
   * read. They stay staged until the swap, so that a sync that is killed before it finds all as it was.
   */
  #leaveOutPassing(): void {
    const sql = `SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM "${this.#whole}" a WHERE a."_seq" = value AND a."_gone_at" IS NULL)`;
    const rows = this.#database.statement(sql).all(JSON.stringify([...this.#seen.without(this.#placed)]));
    const passing = rows.map(([seq]) => Number(seq));
    if (passing.length > 0) this.#index?.giveUp();
    for (const seq of passing) this.#seen.delete(seq);
    this.#passing = rangesOf(passing);
  }

  #missing(): number {
    // Only a swap changes what is there, and it keeps the count: counting would read the whole table.
    if (this.rowsBefore === 0) return 0;
    const fresh = `SELECT count(*) FROM "${this.#staged}" s WHERE NOT EXISTS (SELECT 1 FROM "${this.#whole}" a WHERE a."_seq" = s."_seq" AND a."_gone_at" IS NULL)`;
    return this.rowsBefore - (this.#seen.size - Number(this.#one(fresh)));
  }

  /** Forgets what was read: the next sync reads the list from its beginning. Throws `local`. */
  forget(): void {
    this.#database.statement('DELETE FROM "_passes" WHERE source = ?').run(this.#source.id);
  }

  get rowsAfter(): number {
    return this.#seen.size;
  }

  /** Makes visible what was read, in one transaction. Throws `local`. */
  async swap(endedAt: string): Promise<SyncCounts> {
    return swapIn(this.#database, {
      source: this.#source,
      state: this.#state,
      seen: this.#seen,
      missing: this.#gone,
      passing: this.#passing,
      endedAt,
      index: await this.#index?.complete(),
    });
  }

  async close(): Promise<void> {
    await this.#index?.close();
  }
}
