import { isRecord, type RecordValue, type Value } from '../../plain/value.js';
import type { Field, RecordType } from '../../contract/build.js';
import { cellIn, cellOf, listAt, valueAt, type Cell } from '../../tables/cells.js';
import type { Column, ListTable } from '../../tables/columns.js';
import type { Row } from '../../sqlite/open.js';
import type { Table } from './layout.js';
import type { Origin, Remaking, Store } from './open.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { selectPage } from './selection.js';

/** A record with its place in the table. */
export interface Stored<R = RecordValue> {
  readonly seq: number;
  readonly record: R;
  /** Of a row in outline: makes all that it holds again, its lists among it. */
  readonly made?: () => RecordValue;
}

/** The place of a record, and what makes it if it is in outline. */
export type Place = Pick<Stored, 'seq' | 'made'>;

/** Values of the extra columns of a table; `seq` may be given to choose the place. */
export type Extra = Readonly<Record<string, Cell>>;

type Mutable = Record<string, Value>;
type Put = (record: Mutable, row: Row) => void;

const valueOf = (cell: Cell, column: Column): Value => (column.type === 'boolean' ? cell !== 0 : cell);

const names = (columns: readonly Column[]): string => columns.map((column) => `"${column.name}"`).join(', ');
const marks = (count: number): string => Array(count).fill('?').join(', ');

/** Adds records to a table. Values are stored unchanged: the caller has checked them against the contract. */
export type Inserter = (record: RecordValue, extra?: Extra) => number;

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

const rowsAtOnce = 64;

/** Adds rows to a table many at a time; the last of them are there after `end`. */
export interface BulkInserter {
  readonly add: (cells: readonly Cell[]) => void;
  readonly end: () => void;
}

/** An inserter of many rows with values for some columns: a statement a row costs more than the row. */
export function bulkInserter(store: Store, table: string, columns: readonly string[]): BulkInserter {
  const row = `(${marks(columns.length)})`;
  const into = `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join(', ')}) VALUES `;
  const write = (count: number): void => {
    store.statement(into + Array(count).fill(row).join(', ')).run(...waiting);
    waiting = [];
  };
  let waiting: Cell[] = [];
  return {
    add: (cells) => {
      waiting.push(...cells);
      if (waiting.length === rowsAtOnce * columns.length) write(rowsAtOnce);
    },
    end: () => {
      if (waiting.length > 0) write(waiting.length / columns.length);
    },
  };
}

/** An inserter for a table and its lists; gives the `seq` of the new row. */
export function inserter(store: Store, table: Table): Inserter {
  const sql = `INSERT INTO "${table.name}" (seq, ${names(table.columns)}) VALUES (?, ${marks(table.columns.length)})`;
  const statement = store.statement(sql);
  const lists = table.lists.map((list) => listInserter(store, list));
  return (record, extra = {}) => {
    const seq = statement.run(extra['seq'] ?? null, ...cellsOf(table.columns, record, extra));
    for (const insertList of lists) insertList(seq, record);
    return seq;
  };
}

const putScalar = (name: string, at: number, options: { readonly column: Column; readonly nil: boolean }): Put => {
  const { column, nil } = options;
  return (record, row) => {
    const cell = row[at] ?? null;
    if (cell !== null) record[name] = valueOf(cell, column);
    else if (nil) record[name] = null;
  };
};

const putNested = (name: string, puts: readonly Put[]): Put => {
  return (record, row) => {
    const nested: Mutable = {};
    for (const put of puts) put(nested, row);
    // A nested record without any value is taken as nil: the columns do not tell the two apart.
    record[name] = Object.values(nested).some((value) => value !== null) ? nested : null;
  };
};

const putNil =
  (name: string): Put =>
  (record) => {
    record[name] = null;
  };

const putsOf = (table: Table, record: RecordType, path: readonly string[]): readonly Put[] =>
  Object.entries(record.fields).map(([name, field]): Put => {
    const here = [...path, name];
    const key = here.join('_');
    const at = table.columns.findIndex((column) => column.name === key && column.type !== 'extra');
    const column = table.columns[at];
    // The first cell of a row is seq.
    if (column !== undefined) return putScalar(name, at + 1, { column, nil: field.presence === 'nil' });
    const laid = table.columns.some((other) => other.name.startsWith(`${key}_`) && other.type !== 'extra');
    return field.type.kind === 'record' && laid ? putNested(name, putsOf(table, field.type, here)) : putNil(name);
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
  /** True for a row in outline, of which the first cell is enough. */
  isOutline(row: Row): boolean;
  /** The same for the place of a row in outline. */
  make(seq: number, store: Remaking): Stored;
  /** The record of a row in outline with its lists in their places, empty ones among them. */
  makeWhole(seq: number, store: Remaking): RecordValue;
}

const originFor = ({ origin }: Remaking, table: Table): Origin => {
  if (origin === undefined) throw new RelctlError('bug', `Rows of ${table.name} cannot be made again.`);
  return origin;
};

/** What a row in outline stands for, lists and all. Throws RelctlError `bug` when the store does not know how to make it. */
export const madeAt = (store: Remaking, table: Table, seq: number): RecordValue =>
  originFor(store, table).record(table.name, seq, true);

/** Gives a record that was made what it lacks of one that was read: nil where it has no value, or has it elsewhere. */
type Complete = (made: Mutable) => void;

const completeNested = (name: string, complete: Complete): Complete => {
  return (made) => {
    const nested = made[name];
    if (isRecord(nested) && Object.values(nested).some((value) => value !== null)) complete(nested);
    else made[name] = null;
  };
};

const completeScalar = (name: string, presence: Field['presence']): Complete => {
  if (presence === 'nil') return (made) => void (made[name] ??= null);
  return (made) => {
    if (made[name] === null) Reflect.deleteProperty(made, name);
  };
};

/** What a member of a record that holds a list has where the list is empty, by the path of the list. */
const emptyAt = ([, ...inner]: readonly string[]): Value =>
  inner.reduceRight<Value>((value, name) => ({ [name]: value }), []);

/**
 * Makes of a record what putsOf reads of its row, without going through a row.
 * @param lists whose members keep what they hold; the others are nil
 */
const completeOf = (
  table: Table,
  record: RecordType,
  { path, lists }: { readonly path: readonly string[]; readonly lists: readonly ListTable[] },
): Complete => {
  const own = table.columns.filter(({ type }) => type !== 'extra');
  const steps = Object.entries(record.fields).map(([name, { type, presence }]): Complete => {
    const here = [...path, name];
    const key = here.join('_');
    if (own.some((column) => column.name === key)) return completeScalar(name, presence);
    const laid = own.some((column) => column.name.startsWith(`${key}_`));
    if (type.kind === 'record' && laid) return completeNested(name, completeOf(table, type, { path: here, lists }));
    const list = lists.find(({ path: [holder] }) => path.length === 0 && holder === name);
    if (list === undefined) return (made) => void (made[name] = null);
    const empty = emptyAt(list.path);
    return (made) => void (made[name] ??= empty);
  });
  return (made) => {
    for (const step of steps) step(made);
  };
};

const readers = new WeakMap<Table, RowReader>();

/** The reader of a table, made once. */
export function rowReader(table: Table): RowReader {
  const known = readers.get(table);
  if (known !== undefined) return known;
  const puts = putsOf(table, table.record, []);
  // The first cell of a row is seq.
  const mark = table.columns.findIndex(({ name }) => name === table.outline?.mark) + 1;
  const isOutline = (row: Row): boolean => mark !== 0 && (row[mark] ?? null) === null;
  const recordOf = (row: Row): RecordValue => {
    const record: Mutable = {};
    for (const put of puts) put(record, row);
    return record;
  };
  const complete = completeOf(table, table.record, { path: [], lists: [] });
  const completeWhole = completeOf(table, table.record, { path: [], lists: table.lists });
  const make = (seq: number, store: Remaking): Stored => {
    const record: Mutable = originFor(store, table).record(table.name, seq, false);
    complete(record);
    return { seq, record, made: () => madeAt(store, table, seq) };
  };
  const makeWhole = (seq: number, store: Remaking): RecordValue => {
    const record: Mutable = madeAt(store, table, seq);
    completeWhole(record);
    return record;
  };
  const reader: RowReader = {
    make,
    makeWhole,
    columns: ['seq', ...table.columns.map((column) => column.name)]
      .map((name) => `"${table.name}"."${name}"`)
      .join(', '),
    isOutline,
    read: (row, store) => {
      const seq = Number(row[0]);
      return isOutline(row) ? make(seq, store) : { seq, record: recordOf(row) };
    },
  };
  readers.set(table, reader);
  return reader;
}

/** The places of rows as one value, for statements that read many rows at once. */
export const seqsOf = (rows: readonly Pick<Stored, 'seq'>[]): string => JSON.stringify(rows.map(({ seq }) => seq));

/** The list at a path of many records with one statement: items by the `seq` of their owner, owners without items missing. */
export function listsOf(
  store: Store,
  list: ListTable,
  owners: readonly Place[],
): ReadonlyMap<number, readonly Value[]> {
  const rest = 'WHERE owner IN (SELECT value FROM json_each(?)) ORDER BY owner, position';
  const items = new Map<number, readonly Value[]>();
  for (const { seq, made } of owners) if (made !== undefined) items.set(seq, listAt(made(), list.path));
  const stored = owners.filter(({ made }) => made === undefined);
  if (stored.length === 0) return items;
  const read = new Map<number, Value[]>();
  const columns = `owner, ${names(list.columns)}`;
  for (const row of selectPage(store, { table: list.name, columns, rest, values: [seqsOf(stored)] })) {
    const owner = Number(row[0]);
    const found = read.get(owner);
    if (found === undefined) read.set(owner, [itemOf(list, row, 1)]);
    else found.push(itemOf(list, row, 1));
  }
  return new Map([...items, ...read]);
}

/** An item of a list from its cells, which begin at a place of the row. */
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

/** The items of such a cell, which is JSON, or the value of that. */
export function itemsOf(list: ListTable, cell: unknown): readonly Value[] {
  const items = (typeof cell === 'string' ? JSON.parse(cell) : cell) as readonly Row[];
  return items.map((item) => itemOf(list, item, 0));
}
