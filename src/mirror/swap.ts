import type { Database } from '../state/sqlite/open.js';
import type { Cell } from '../contract/tables/cells.js';
import { dropFieldViews } from './fields/views.js';
import type { BitSet } from '../core/values/bit-set.js';
import type { Ranges } from './seqs.js';
import { indexRows } from './search/index-rows.js';
import type { MirrorTable } from './tables.js';
import type { IndexAside } from './index-aside.js';
import type { Difference, SourceState } from './sources.js';
import { unstageRows } from './staging.js';
import { createIndexes, createViews, dropTables, dropViews, literal, namesOf, staged, whole } from './schema.js';

/** What a sync makes visible. */
export interface Swap {
  readonly table: MirrorTable;
  readonly source: SourceState;
  /** The rows that the list showed. */
  readonly seen: BitSet;
  /** Rows that were there and that it did not show. */
  readonly missing: number;
  /** Rows that are staged, and were not there any more when it was read last. */
  readonly passing: Ranges;
  /** Number of the last page of the list, and which reading of it was the last. */
  readonly lastPage: number;
  readonly reading: number;
  readonly startedAt: string;
  readonly endedAt: string;
  /** The index of the rows that were staged, when it was made meanwhile. */
  readonly index: IndexAside | undefined;
}

const numberOf = (database: Database, sql: string, ...values: readonly Cell[]): number =>
  Number(database.statement(sql).first(...values)?.[0] ?? 0);

/** The rows in question become those of a table that has none: its staged tables take their place. */
function placeTables(database: Database, { table, index }: Swap): void {
  dropFieldViews(database, table.name);
  database.execute(dropViews(table));
  database.execute(dropTables(table, whole));
  for (const end of ['by_id', 'without_id']) database.execute(`DROP INDEX IF EXISTS "${staged(table.name)}_${end}"`);
  for (const name of namesOf(table)) database.execute(`ALTER TABLE "${staged(name)}" RENAME TO "${whole(name)}"`);
  database.execute(createIndexes(table));
  database.execute(createViews(table));
  if (index === undefined) indexRows(database, whole(table.name), 'all');
  else index.putInto(database);
}

/** Copies the rows of a staged table; SQLite makes the columns of numbers itself, and does not name them here. */
function copyStaged(database: Database, name: string): void {
  const names = database.statement('SELECT name FROM pragma_table_info(?)').all(staged(name));
  const columns = names.map(([column]) => `"${String(column)}"`).join(', ');
  database.execute(`INSERT OR REPLACE INTO "${whole(name)}" (${columns}) SELECT ${columns} FROM "${staged(name)}"`);
}

/** Staged rows replace those of the same number, with their lists. One that was gone is seen for the first time again. */
function replaceRows(database: Database, table: MirrorTable): void {
  const from = staged(table.name);
  const to = whole(table.name);
  database.execute(
    `UPDATE "${from}" SET "_first_seen" = (SELECT a."_first_seen" FROM "${to}" a WHERE a."_seq" = "${from}"."_seq") WHERE "_seq" IN (SELECT "_seq" FROM "${to}" WHERE "_gone_at" IS NULL)`,
  );
  copyStaged(database, table.name);
  for (const { name } of table.lists) {
    database.execute(`DELETE FROM "${whole(name)}" WHERE "_owner" IN (SELECT "_seq" FROM "${from}")`);
    copyStaged(database, name);
  }
  indexRows(database, to, { seqs: `SELECT "_seq" FROM "${from}"` });
  database.execute(dropTables(table, staged));
}

/** Marks the rows that were not shown. */
function markGone(database: Database, { table, source, seen, startedAt }: Swap): void {
  const name = whole(table.name);
  const there = database.statement(`SELECT "_seq" FROM "${name}" WHERE "_source" = ? AND "_gone_at" IS NULL`);
  const gone = [...there.each(source.id)].map(([seq]) => Number(seq)).filter((seq) => !seen.has(seq));
  database
    .statement(
      `UPDATE "${name}" SET "_gone_at" = ${literal(startedAt)} WHERE "_seq" IN (SELECT value FROM json_each(?))`,
    )
    .run(JSON.stringify(gone));
}

function keepPages(database: Database, { source: { id }, reading, lastPage }: Swap): void {
  const run = (sql: string, ...values: readonly Cell[]): unknown => database.statement(sql).run(...values);
  if (reading > 1) run('DELETE FROM "_pages" WHERE source = ?', id);
  else run('DELETE FROM "_pages" WHERE source = ? AND number > ?', id, lastPage);
  run(
    'INSERT OR REPLACE INTO "_pages" SELECT source, number, signature, seqs FROM "_pass_pages" WHERE source = ? AND reading = ?',
    id,
    reading,
  );
  run('DELETE FROM "_pass_pages" WHERE source = ?', id);
  run('DELETE FROM "_passes" WHERE source = ?', id);
}

function keepResult(database: Database, { source, startedAt, endedAt }: Swap, difference: Difference): void {
  const { rows, added, changed, gone } = difference;
  database
    .statement(
      'UPDATE "_sources" SET synced_from = ?, synced_at = ?, rows = ?, added = ?, changed = ?, gone = ? WHERE id = ?',
    )
    .run(startedAt, endedAt, rows, added, changed, gone, source.id);
  if (added + changed + gone === 0) return;
  database
    .statement('INSERT INTO "_syncs" (source, began_at, ended_at) VALUES (?, ?, ?)')
    .run(source.id, startedAt, endedAt);
}

/** How many staged rows are new, and how many stand for others. */
function countStaged(database: Database, { name }: MirrorTable): Pick<Difference, 'added' | 'changed'> {
  const from = staged(name);
  const earlier = `SELECT 1 FROM "${whole(name)}" a WHERE a."_seq" = s."_seq" AND a."_gone_at" IS NULL`;
  const changed = numberOf(database, `SELECT count(*) FROM "${from}" s WHERE EXISTS (${earlier})`);
  return { added: numberOf(database, `SELECT count(*) FROM "${from}"`) - changed, changed };
}

function apply(database: Database, swap: Swap): Difference {
  const { table, seen, missing, passing } = swap;
  unstageRows(database, table, passing);
  const isFirst = database.statement(`SELECT 1 FROM "${whole(table.name)}"`).first() === undefined;
  const counts = isFirst ? { added: seen.size, changed: 0 } : countStaged(database, table);
  if (isFirst) placeTables(database, swap);
  else replaceRows(database, table);
  if (missing > 0) markGone(database, swap);
  const difference = { rows: seen.size, ...counts, gone: missing };
  keepPages(database, swap);
  keepResult(database, swap, difference);
  return difference;
}

/** Makes visible what a sync read, in one transaction: all of it or nothing. Throws `local`. */
export const swapIn = (database: Database, swap: Swap): Difference => database.write(() => apply(database, swap));
