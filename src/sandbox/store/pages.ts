import { RelctlError } from '../../errors/relctl-error.js';
import type { Row } from '../../sqlite/open.js';
import type { Store } from './open.js';
import { selectPage } from './selection.js';

/** A page: numbers from one, at least one record. */
export interface PageRequest {
  readonly pageNumber: number;
  readonly pageSize: number;
}

/** Rows of a list to pass over, and to read at most. */
export interface Limit {
  readonly before: number;
  readonly rows: number;
}

/** The rows of a page. A place beyond every row is as good as one that can no longer be counted exactly. */
export const limitOf = ({ pageNumber, pageSize }: PageRequest): Limit => ({
  before: Math.min((pageNumber - 1) * pageSize, Number.MAX_SAFE_INTEGER),
  rows: pageSize,
});

/** Tables that are paged keep a list of the seqs that were deleted, so that the n-th row is found without counting rows. */
export const gapTable = `CREATE TABLE "Gap" (
  tableName TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (tableName, seq)
) STRICT, WITHOUT ROWID;`;

/** Triggers that keep the gaps of a paged table. */
export function gapTriggers(table: string): string {
  return `CREATE TRIGGER "${table}_gap" AFTER DELETE ON "${table}" BEGIN
  INSERT INTO "Gap" (tableName, seq) VALUES ('${table}', old.seq);
END;
CREATE TRIGGER "${table}_fill" AFTER INSERT ON "${table}" WHEN EXISTS (SELECT 1 FROM "Gap" WHERE tableName = '${table}' AND seq = new.seq) BEGIN
  DELETE FROM "Gap" WHERE tableName = '${table}' AND seq = new.seq;
END;`;
}

/** The seq before which `position` rows stand: the position plus the gaps before it. */
const seqAfter = (store: Store, table: string, position: number): number => {
  const count = store.statement('SELECT count(*) FROM "Gap" WHERE tableName = ? AND seq <= ?');
  let seq = position;
  for (;;) {
    const next = position + Number(count.first(table, seq)?.[0] ?? 0);
    if (next === seq) return seq;
    seq = next;
  }
};

/** Which rows to page through. */
export interface PagedTable {
  readonly table: string;
  /** Columns to read, as SQL. */
  readonly columns: string;
}

/** The seq after which a page begins; undefined for one that no table can have. */
const startOf = (store: Store, table: string, page: PageRequest): number | undefined => {
  if (page.pageNumber < 1 || page.pageSize < 1) throw new RelctlError('bug', 'A page starts at one.');
  const before = (page.pageNumber - 1) * page.pageSize;
  // No table can hold more rows than this, and a larger number is no longer exact.
  return Number.isSafeInteger(before) ? seqAfter(store, table, before) : undefined;
};

/**
 * One page of a table in the order of creation. Costs the same wherever the page lies: the place is worked out from the
 * number and the rows are read by key, never by OFFSET. Throws RelctlError `bug` for a page before the first.
 */
export function pageRows(store: Store, { table, columns }: PagedTable, page: PageRequest): readonly Row[] {
  const start = startOf(store, table, page);
  if (start === undefined) return [];
  return selectPage(store, {
    table,
    columns,
    rest: 'WHERE seq > ? ORDER BY seq LIMIT ?',
    values: [start, page.pageSize],
  });
}

/**
 * The seq after which a full page without gaps begins whose rows all have null in a column; undefined for any other page.
 * One number is read for all of it: the driver takes longer to hand rows over than SQLite to look at them. Throws as
 * pageRows does.
 */
export function startOfNulls(
  store: Store,
  { table, column }: { readonly table: string; readonly column: string },
  page: PageRequest,
): number | undefined {
  const start = startOf(store, table, page);
  if (start === undefined) return undefined;
  const sql = `SELECT count(*) FROM "${table}" WHERE seq BETWEEN ? AND ? AND "${column}" IS NULL`;
  const [rows] = store.statement(sql).first(start + 1, start + page.pageSize) ?? [];
  return rows === page.pageSize ? start : undefined;
}

/**
 * How many rows a table has that was filled without leaving a seq out: the last seq less the gaps before it. Costs the same
 * for any number of rows, where count(*) reads the whole table.
 */
export function rowCount(store: Store, table: string): number {
  const [last] = store.statement(`SELECT max(seq) FROM "${table}"`).first() ?? [];
  const gaps = 'SELECT count(*) FROM "Gap" WHERE tableName = ? AND seq <= ?';
  return Number(last ?? 0) - Number(store.statement(gaps).first(table, last ?? 0)?.[0] ?? 0);
}
