import type { Row } from '../../sqlite/open.js';
import type { Cell } from '../../tables/cells.js';
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
 * The seqs of one page of a table in the order of creation. Rows may have been deleted by hand, so that the place of a row
 * does not follow from its seq.
 */
export function seqsOnPage(store: Store, table: string, page: PageRequest): readonly number[] {
  const { before, rows } = limitOf(page);
  return store
    .statement(`SELECT seq FROM "${table}" ORDER BY seq LIMIT ? OFFSET ?`)
    .all(rows, before)
    .map(([seq]) => Number(seq));
}

/** How many rows a table has. */
export const rowCount = (store: Store, table: string): number =>
  Number(store.statement(`SELECT count(*) FROM "${table}"`).first()?.[0] ?? 0);

/** Rows of one table, in an order. */
export interface Selection {
  readonly table: string;
  /** Columns to read, as SQL; of the table alone. */
  readonly columns: string;
  /** What stands behind the name of the table: a condition, an order and a limit, as SQL. */
  readonly rest: string;
  /** For its `?`. */
  readonly values: readonly Cell[];
}

/** Reads rows. */
export const selectRows = (store: Store, { table, columns, rest, values }: Selection): readonly Row[] =>
  store.statement(`SELECT ${columns} FROM "${table}" ${rest}`).all(...values);
