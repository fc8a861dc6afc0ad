import { createSearch, indexRows } from '../../../src/mirror/search/index-rows.js';
import { findRows, type Hit, type Wanted } from '../../../src/mirror/search/find.js';
import { questionOf } from '../../../src/mirror/search/match.js';
import { searchedTables } from '../../../src/mirror/search/searched.js';
import { openDatabase, type Database } from '../../../src/state/sqlite/open.js';
import type { Cell } from '../../../src/contract/tables/cells.js';

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
export const find = (database: Database, text: string, more: Partial<Wanted> = {}): readonly Hit[] =>
  findRows(database, { question: questionOf(text), types: undefined, limit: 20, gone: false, ...more });
