import { madeList } from '../../plain/made-list.js';
import type { RecordValue } from '../../plain/value.js';
import type { Remaking } from './open.js';
import { rowReader } from './rows.js';
import { tableFor } from './schema.js';

/** Rows that follow each other and are all in outline. */
export interface OutlinePage {
  readonly table: string;
  /** The seq of the first row. */
  readonly first: number;
  /** How many rows. */
  readonly rows: number;
  readonly withFields: boolean;
}

/**
 * The records of such a page, each of which is made when it is read, without the database: each is written before the next
 * is made, and none is kept.
 */
export function recordsInOutline(
  store: Remaking,
  { table, first, rows, withFields }: OutlinePage,
): readonly RecordValue[] {
  const reader = rowReader(tableFor(table));
  return madeList(rows, (at) =>
    withFields ? reader.makeWhole(first + at, store) : reader.make(first + at, store).record,
  );
}
