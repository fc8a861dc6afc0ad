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
