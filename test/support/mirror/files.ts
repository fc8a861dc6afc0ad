import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { recordsIn } from '../../../src/mirror/sources.js';
import { openMirror, type Mirror } from '../../../src/mirror/mirror.js';
import { tableNamed } from '../../../src/mirror/tables.js';
import { openDatabase, type Database } from '../../../src/state/sqlite/open.js';
import { readPages, type Claim } from '../../../src/client/pages.js';
import type { FetchPage } from '../../../src/client/paging.js';
import type { Pass } from '../../../src/mirror/pass.js';
import type { RecordValue } from '../../../src/core/values/value.js';
import { readUntilSure } from '../../../src/topics/mirror/sync/sync.js';
import { createSearch, indexRows } from '../../../src/mirror/search/index-rows.js';
import { findRows, type Hit, type SearchRequest } from '../../../src/mirror/search/find.js';
import { questionOf, searchedTables } from '../../../src/mirror/search/match.js';
import type { Cell } from '../../../src/contract/columns.js';

const service = { url: 'http://crm/', namespace: 'http://crm/', database: '' };

function reading<T>(file: string, read: (database: Database) => T): T {
  const database = openDatabase({ file, what: 'The mirror' });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

/** Mirrors of a suite, in a folder of its own. */
export class MirrorFiles {
  readonly #folder = mkdtempSync(join(tmpdir(), 'relctl-mirrors-'));
  #count = 0;

  /** Where a new mirror is to be. */
  place(): string {
    this.#count += 1;
    return join(this.#folder, `${this.#count}.db`);
  }

  open(file: string): Mirror {
    return openMirror({ file, service, forget: '' });
  }

  /** What a question gives, each cell as text. */
  ask(file: string, sql: string): readonly (readonly (string | null)[])[] {
    const rows = reading(file, (database) => database.statement(sql).all());
    return rows.map((row) => row.map((cell) => (cell === null ? null : String(cell))));
  }

  /** The records of relations that are there, as JSON, in the order of their list. */
  listed(file: string): readonly string[] {
    const wanted = { isGone: false, changedSince: undefined };
    return reading(file, (database) => [...recordsIn(database, tableNamed('relations'), wanted)]);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const idOf = ({ Id }: RecordValue): string | undefined => (typeof Id === 'string' ? Id : undefined);

/** A relation by the number in its Id. */
export const one = (number: number, name: string): RecordValue => ({
  Id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  DisplayName: name,
});

/** A relation without an Id. */
export const nobody = (name: string): RecordValue => ({ DisplayName: name });

let clock = Date.UTC(2026, 0, 1);

/** Another time at each call. */
export const nextTime = (): string => new Date((clock += 1000)).toISOString();

/** How a run of the program reads its list. */
interface Run {
  /** Called for each reading: gives what fetches its pages, of three rows. */
  readonly reading: () => FetchPage;
  readonly firstPage?: number;
}

async function readInto(pass: Pass, { reading, firstPage = 1 }: Run): Promise<Claim> {
  const { resume } = pass;
  const plan = { firstPage, pageSize: 3, prefetch: 0, signal: new AbortController().signal, idOf };
  const pages = readPages(reading(), { ...plan, ...(resume === undefined ? {} : { resume }) });
  for (let step = await pages.next(); ; step = await pages.next()) {
    if (step.done === true) return step.value;
    pass.take(step.value);
  }
}

/** Does what a run of the program does on a mirror of relations; `end` stands for what is behind the last reading. */
export async function runOn<T>(
  mirrors: MirrorFiles,
  place: string,
  { end, ...run }: Run & { readonly end: (pass: Pass) => Promise<T> },
): Promise<T> {
  const mirror = mirrors.open(place);
  try {
    if (mirror.sources().length === 0) mirror.add({ name: 'relations', table: 'relations', input: {} });
    const [source] = mirror.sources();
    assert.ok(source !== undefined);
    const pass = await mirror.openPass(source, { startedAt: nextTime(), calls: `${run.firstPage ?? 1}` });
    await readUntilSure(
      pass,
      () => readInto(pass, run),
      () => Promise.resolve(),
    );
    return await end(pass);
  } finally {
    await mirror.close();
  }
}

/** What `mirror list` prints of the relations, which are those of their table. */
export function listedOn(mirrors: MirrorFiles, place: string): readonly RecordValue[] {
  const rows = mirrors.listed(place).map((text) => JSON.parse(text) as RecordValue);
  assert.deepEqual(mirrors.ask(place, 'SELECT count(*) FROM "relations"'), [[`${rows.length}`]]);
  return rows;
}

/** A row of a table: its columns, and the values of its lists by the name of their table. */
export interface Row {
  readonly seq: number;
  readonly columns: Readonly<Record<string, Cell>>;
  readonly lists?: Readonly<Record<string, readonly string[]>>;
}

/** A database in memory with the tables that are searched, and nothing else of a mirror. */
export function openSearched(): Database {
  const database = openDatabase({ file: ':memory:', what: 'The test database' });
  for (const { base, id, name, columns, lists } of searchedTables) {
    const all = [...new Set([id, name, ...columns, '_gone_at'])].map((column) => `"${column}" TEXT`);
    database.execute(`CREATE TABLE "${base}" ("_seq" INTEGER PRIMARY KEY, ${all.join(', ')})`);
    for (const list of lists) {
      database.execute(
        `CREATE TABLE "${list.base}" ("_owner" INTEGER, "_position" INTEGER, "${list.column}" TEXT, PRIMARY KEY ("_owner", "_position"))`,
      );
    }
  }
  database.execute(createSearch());
  return database;
}

/** Writes rows in the place of those with the same seq, without the index. */
export function writeRows(database: Database, base: string, rows: readonly Row[]): void {
  for (const { seq, columns, lists = {} } of rows) {
    const names = ['_seq', ...Object.keys(columns)].map((name) => `"${name}"`).join(', ');
    const places = ['?', ...Object.keys(columns).map(() => '?')].join(', ');
    database
      .statement(`INSERT OR REPLACE INTO "${base}" (${names}) VALUES (${places})`)
      .run(seq, ...Object.values(columns));
    for (const [list, values] of Object.entries(lists)) {
      database.statement(`DELETE FROM "${list}" WHERE "_owner" = ?`).run(seq);
      for (const [position, value] of values.entries()) {
        database.statement(`INSERT INTO "${list}" VALUES (?, ?, ?)`).run(seq, position, value);
      }
    }
  }
}

/** Fills an empty table and its index. */
export function fill(database: Database, base: string, rows: readonly Row[]): void {
  writeRows(database, base, rows);
  indexRows(database, base, 'all');
}

/** What a text finds. */
export const find = (database: Database, text: string, more: Partial<SearchRequest> = {}): readonly Hit[] =>
  findRows(database, { question: questionOf(text), types: undefined, limit: 20, gone: false, ...more });
