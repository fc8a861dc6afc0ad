import { RelctlError } from '../../errors/relctl-error.js';
import type { Store } from './open.js';

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

/**
 * The seqs of one page of a table in the order of creation. The table was filled seq by seq, and no operation deletes its
 * rows: a page costs the same wherever it lies. Throws RelctlError `bug` for a page before the first.
 */
export function seqsOnPage(store: Store, table: string, page: PageRequest): readonly number[] {
  if (page.pageNumber < 1 || page.pageSize < 1) throw new RelctlError('bug', 'A page starts at one.');
  const { before, rows } = limitOf(page);
  const sql = `SELECT seq FROM "${table}" WHERE seq > ? ORDER BY seq LIMIT ?`;
  return store
    .statement(sql)
    .all(before, rows)
    .map(([seq]) => Number(seq));
}

/** How many rows such a table has: its last seq. Costs the same for any number of rows, where count(*) reads the whole table. */
export const rowCount = (store: Store, table: string): number =>
  Number(store.statement(`SELECT max(seq) FROM "${table}"`).first()?.[0] ?? 0);
