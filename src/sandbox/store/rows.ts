import { valueAt, type RecordValue, type Value } from '../../core/values/value.js';
import type { RecordType } from '../../contract/build.js';
import { cellIn, cellOf, listAt, type Cell, type Column, type ListTable } from '../../contract/columns.js';
import { recordOf } from '../../contract/walk.js';
import type { Row } from '../../state/sqlite/open.js';
import type { Table } from './schema.js';
import type { Origin, Store } from './open.js';
import { RelctlError } from '../../core/errors/relctl-error.js';

/** A record with its place in the table. */
export interface Stored<R = RecordValue> {
  readonly seq: number;
  readonly record: R;
  readonly isOutline: boolean;
}

/** The place of a record, and whether its row is in outline. */
export type RowPosition = Pick<Stored, 'seq' | 'isOutline'>;

/** Values of the extra columns of a table; `seq` may be given to choose the place. */
export type Extra = Readonly<Record<string, Cell>>;

type Mutable = Record<string, Value>;
type Put = (record: Mutable, row: Row) => void;

const valueOf = (cell: Cell, column: Column): Value => (column.type === 'boolean' ? cell !== 0 : cell);

const names = (columns: readonly Column[]): string => columns.map((column) => `"${column.name}"`).join(', ');
const marks = (count: number): string => Array(count).fill('?').join(', ');

/** Adds the items of a list of a record, by its `seq`. */
export const listInserter = (store: Store, list: ListTable): ((owner: number, record: RecordValue) => void) => {
  const sql = `INSERT INTO "${list.name}" (owner, position, ${names(list.columns)}) VALUES (?, ?, ${marks(list.columns.length)})`;
  const statement = store.statement(sql);
  return (owner, record) => {
    listAt(record, list.path).forEach((item, position) => {
      const cells = list.columns.map((column) => cellIn(item, column));
      statement.run(owner, position, ...cells);
    });
  };
};

/** The cells of a record for some columns of its table. */
export const cellsOf = (columns: readonly Column[], record: RecordValue, extra: Extra): readonly Cell[] =>
  columns.map((column) =>
    column.type === 'extra' ? (extra[column.name] ?? null) : cellOf(valueAt(record, column.path)),
  );

/** Makes what adds records to a table and its lists, unchanged: the caller has checked them. It gives the `seq` of the new row. */
export function inserter(store: Store, table: Table): (record: RecordValue, extra?: Extra) => number {
  const sql = `INSERT INTO "${table.name}" (seq, ${names(table.columns)}) VALUES (?, ${marks(table.columns.length)})`;
  const statement = store.statement(sql);
  const lists = table.lists.map((list) => listInserter(store, list));
  return (record, extra = {}) => {
    const seq = statement.run(extra['seq'] ?? null, ...cellsOf(table.columns, record, extra));
    for (const insertList of lists) insertList(seq, record);
    return seq;
  };
}

const putNested =
  (name: string, puts: readonly Put[]): Put =>
  (record, row) => {
    const nested: Mutable = {};
    for (const put of puts) put(nested, row);
    // A nested record without any value is taken as nil: the columns do not tell the two apart.
    record[name] = Object.values(nested).some((value) => value !== null) ? nested : null;
  };

const putsOf = (table: Table, record: RecordType, path: readonly string[]): readonly Put[] =>
  Object.entries(record.fields).map(([name, field]): Put => {
    const here = [...path, name];
    const key = here.join('_');
    const at = table.columns.findIndex((column) => column.name === key && column.type !== 'extra');
    const column = table.columns[at];
    // The first cell of a row is seq.
    if (column !== undefined)
      return (into, row) => {
        const cell = row[at + 1] ?? null;
        if (cell !== null) into[name] = valueOf(cell, column);
        else if (field.presence === 'nil') into[name] = null;
      };
    const laid = table.columns.some((other) => other.name.startsWith(`${key}_`) && other.type !== 'extra');
    const nested = recordOf(field.type);
    return putNested(name, nested !== undefined && laid ? putsOf(table, nested, here) : []);
  });

/** Reads the rows of one table. */
export interface RowReader {
  /** `seq` and the columns, for a SELECT from this table. */
  readonly columns: string;
  /**
   * The record of a row, which is made again if it is in outline. Missing text is left out; nested records elsewhere, and
   * lists, are nil until they are filled.
   */
  read(row: Row, store: Store): Stored;
  /**
   * The record of a row in outline, made again.
   * @param values the list of field values, which it has then
   */
  remake(seq: number, store: Store, values?: ListTable): RecordValue;
}

/** What makes the rows of a store in outline again. Throws RelctlError `bug` when nothing does. */
export function originOf({ origin }: Store): Origin {
  if (origin === undefined) throw new RelctlError('bug', 'Rows in outline cannot be made again.');
  return origin;
}

const readers = new WeakMap<Table, RowReader>();

/** The reader of a table, made once. */
export function rowReader(table: Table): RowReader {
  const known = readers.get(table);
  if (known !== undefined) return known;
  const puts = putsOf(table, table.record, []);
  // The first cell of a row is seq.
  const mark = table.columns.findIndex(({ name }) => name === table.outline?.mark) + 1;
  const recordOfRow = (row: Row): RecordValue => {
    const record: Mutable = {};
    for (const put of puts) put(record, row);
    return record;
  };
  const reader: RowReader = {
    columns: ['seq', ...table.columns.map((column) => column.name)]
      .map((name) => `"${table.name}"."${name}"`)
      .join(', '),
    read: (row, store) => {
      const seq = Number(row[0]);
      const isOutline = mark !== 0 && row[mark] === null;
      return { seq, record: isOutline ? reader.remake(seq, store) : recordOfRow(row), isOutline };
    },
    remake: (seq, store, values) => {
      const made = originOf(store).record(table.name, seq, values !== undefined);
      const record = recordOfRow([seq, ...cellsOf(table.columns, made, {})]);
      return values === undefined ? record : { ...record, FieldValues: { Items: listAt(made, values.path) } };
    },
  };
  readers.set(table, reader);
  return reader;
}

/** The list at a path of many records, by the `seq` of each; records without items are missing. None is in outline. */
export function listsOf(store: Store, list: ListTable, owners: readonly number[]): ReadonlyMap<number, Value[]> {
  const sql = `SELECT owner, ${names(list.columns)} FROM "${list.name}" WHERE owner IN (SELECT value FROM json_each(?)) ORDER BY owner, position`;
  const items = new Map<number, Value[]>();
  for (const row of store.statement(sql).all(JSON.stringify(owners))) {
    const owner = Number(row[0]);
    items.set(owner, [...(items.get(owner) ?? []), itemOf(list, row, 1)]);
  }
  return items;
}

const itemOf = (list: ListTable, row: Row, from: number): Value => {
  const item: Mutable = {};
  for (const [at, column] of list.columns.entries()) {
    const cell = row[at + from] ?? null;
    const [name] = column.path;
    if (name === undefined) return cell === null ? null : valueOf(cell, column);
    if (cell !== null) item[name] = valueOf(cell, column);
  }
  return item;
};

/** The items of a list of a row of a table as one more cell of that row, in SQL: as JSON. */
export const itemsCell = (table: Table, list: ListTable): string =>
  `(SELECT json_group_array(json_array(${names(list.columns)})) FROM ` +
  `(SELECT * FROM "${list.name}" WHERE owner = "${table.name}".seq ORDER BY position))`;

/** The items of such a cell. */
export const itemsOf = (list: ListTable, cell: unknown): readonly Value[] =>
  (JSON.parse(String(cell)) as readonly Row[]).map((item) => itemOf(list, item, 0));
