import { madeList } from '../../plain/made-list.js';
import type { RecordValue } from '../../plain/value.js';
import type { Remaking } from './open.js';
import { rowReader } from './rows.js';
import { tableFor } from './schema.js';

/** Rows that follow each other and are all in outline: whoever has the parameters of the data set can make their records. */
export interface OutlinePage {
  readonly table: string;
  /** The seq of the first row. */
  readonly first: number;
  /** How many rows. */
  readonly rows: number;
  readonly withFields: boolean;
}

const pages = new WeakMap<object, OutlinePage>();

/**
 * The records of such a page, each of which is made when it is read, without the database: each is written before the next
 * is made, and none is kept.
 */
export function recordsInOutline(store: Remaking, page: OutlinePage): readonly RecordValue[] {
  const { table, first, rows, withFields } = page;
  const reader = rowReader(tableFor(table));
  const records = madeList(rows, (at) =>
    withFields ? reader.makeWhole(first + at, store) : reader.make(first + at, store).record,
  );
  pages.set(records, page);
  return records;
}

/** The page that a list is of, if recordsInOutline gave it. */
export const outlinePageOf = (list: unknown): OutlinePage | undefined =>
  typeof list === 'object' && list !== null ? pages.get(list) : undefined;
