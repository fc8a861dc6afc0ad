import { inBatches } from '../../plain/batches.js';
import type { Row } from '../../sqlite/open.js';
import type { Cell } from '../../tables/cells.js';
import type { Store } from './open.js';
import { RelctlError } from '../../errors/relctl-error.js';

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
 * does not follow from its seq. Throws RelctlError `bug` for a page before the first.
 */
export function seqsOnPage(store: Store, table: string, page: PageRequest): readonly number[] {
  if (page.pageNumber < 1 || page.pageSize < 1) throw new RelctlError('bug', 'A page starts at one.');
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

/** Bytes of rows that are read as one text. There are copies of it on the way, which are to take little memory. */
const mostBytes = 4 * 1024 * 1024;

/** Reads rows as they are: for one, or a number without a limit. */
export const selectEach = (store: Store, { table, columns, rest, values }: Selection): readonly Row[] =>
  store.statement(`SELECT ${columns} FROM "${table}" ${rest}`).all(...values);

/**
 * The rows of a page as one text in JSON, a list of their cells; undefined where that is long. SQLite writes all of the cells
 * in less than half the time that the driver takes to hand over one after the other. There are texts, whole numbers and nulls
 * only, which JSON holds as they are.
 */
function selectText(store: Store, { table, columns, rest, values }: Selection): string | undefined {
  const rows = `SELECT json_group_array(json_array(${columns})) AS cells FROM (SELECT * FROM "${table}" ${rest}) AS "${table}"`;
  const sql = `SELECT CASE WHEN octet_length(cells) <= ${mostBytes} THEN cells END FROM (${rows})`;
  const [cells] = store.statement(sql).first(...values) ?? [];
  return typeof cells === 'string' ? cells : undefined;
}

const rowsOfText = (text: string): readonly Row[] => JSON.parse(text) as readonly Row[];

/** Rows that were read together: kept as text where that is short. */
export type Part = () => readonly Row[];

/** Reads rows now, for whoever needs them later. */
export function selectPart(store: Store, selection: Selection): Part {
  const text = selectText(store, selection);
  if (text !== undefined) return () => rowsOfText(text);
  const rows = selectEach(store, selection);
  return () => rows;
}

/** Reads the rows of a page. */
export const selectPage = (store: Store, selection: Selection): readonly Row[] => selectPart(store, selection)();

/** Rows that are read with one statement, and whose cells are in memory at once. */
const atOnce = 100;

/** Reads rows now, by their seqs, and gives each by its index; one part of them is in memory at a time. */
export function rowsAt(
  seqs: readonly number[],
  read: (seqs: readonly number[]) => Part,
): (at: number) => Row | undefined {
  const parts = Array.from(inBatches(seqs, atOnce), read);
  let last: { readonly part: number; readonly rows: readonly Row[] } | undefined;
  return (at) => {
    const part = Math.floor(at / atOnce);
    const { rows } = last?.part === part ? last : { rows: parts[part]?.() ?? [] };
    // Whoever walks the list needs no more of a part than its last row.
    last = at % atOnce === rows.length - 1 ? undefined : { part, rows };
    return rows[at % atOnce];
  };
}
