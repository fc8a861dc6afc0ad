import type { RecordType, ScalarName, Type } from './build.js';
import { isNested, isTooDeep, recordOf, scalarOf } from './walk.js';
import { hasValue, isList, isRecord, valueAt, type RecordValue, type Value } from '../core/values/value.js';

/** A column and the path of its value in the record; columns that the contract does not have are `extra`, without a path. */
export interface Column {
  readonly name: string;
  readonly path: readonly string[];
  readonly type: ScalarName | 'enumeration' | 'extra';
  /** Type and constraints in SQL. */
  readonly sql: string;
}

/** The table of a list within a record: one row an item. */
export interface ListTable {
  readonly name: string;
  readonly path: readonly string[];
  readonly columns: readonly Column[];
}

/** The columns of a record, in the order of the contract, and the tables of its lists. */
export interface Layout {
  readonly columns: readonly Column[];
  readonly lists: readonly ListTable[];
}

/** What a database decides of the tables that are made of records. */
export interface Keeping {
  /** Name of the table; those of its lists begin with it. */
  readonly table: string;
  /** True for a record that is kept in the columns, or in a list table, of the record that has it. */
  readonly isPart: (record: RecordType) => boolean;
  /** What stands for a nested record that is no part. */
  readonly reference: (record: RecordType, column: string) => readonly Column[];
  /**
   * Type and constraints of a column.
   * @param isRequired the contract says that there is a value, in each record that holds it
   */
  readonly sql: (type: Type, column: string, isRequired: boolean) => string;
}

interface Laying extends Keeping {
  readonly columns: Column[];
  readonly lists: ListTable[];
  /** The records that hold what is laid, outermost first. */
  readonly above: readonly RecordType[];
}

interface ColumnParent {
  readonly path: readonly string[];
  /** Within a nested record that may be missing no column can be required. */
  readonly isOptional: boolean;
}

/** The type of the column of a value. */
export const columnType = (type: Type): ScalarName | 'enumeration' => scalarOf(type) ?? 'enumeration';

function layList(laying: Laying, path: readonly string[], item: Type): void {
  const name = `${laying.table}_${path.join('_')}`;
  const record = recordOf(item);
  if (record !== undefined) {
    if (!laying.isPart(record) || isTooDeep(record, laying.above)) return;
    laying.lists.push({ name, path, columns: layout(record, { ...laying, table: name }, laying.above).columns });
  } else if (!isNested(item)) {
    const value = { name: 'Value', path: [], type: columnType(item), sql: laying.sql(item, 'Value', true) };
    laying.lists.push({ name, path, columns: [value] });
  }
}

function layRecord(outer: Laying, record: RecordType, parent: ColumnParent): void {
  const laying = { ...outer, above: [...outer.above, record] };
  for (const [name, { type, presence }] of Object.entries(record.fields)) {
    const path = [...parent.path, name];
    const column = path.join('_');
    const isOptional = parent.isOptional || presence !== 'req';
    if (type.kind === 'list') layList(laying, path, type.item);
    else if (type.kind !== 'record') {
      laying.columns.push({ name: column, path, type: columnType(type), sql: laying.sql(type, column, !isOptional) });
    } else if (laying.isPart(type)) {
      if (!isTooDeep(type, laying.above)) layRecord(laying, type, { path, isOptional });
    } else laying.columns.push(...laying.reference(type, column));
  }
}

/**
 * The columns and list tables of a record. Lists within the items of a list have no table, and a record within another one
 * of its type has neither columns nor a table.
 * @param above the records that hold it
 */
export function layout(record: RecordType, keeping: Keeping, above: readonly RecordType[] = []): Layout {
  const laying: Laying = { ...keeping, columns: [], lists: [], above };
  layRecord(laying, record, { path: [], isOptional: false });
  return laying;
}

/** The value of a cell: booleans are 0 and 1; long, decimal, dateTime and guid are text. */
export type Cell = string | number | null;

/** The items of the list at a path of a record; none where there is no list. */
export function listAt(record: RecordValue, path: readonly string[]): readonly Value[] {
  const value = valueAt(record, path);
  return isList(value) ? value : [];
}

/** A value as a cell; what is absent or nil is null, and a value that is no scalar is JSON. */
export function cellOf(value: Value | undefined): Cell {
  if (!hasValue(value)) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);
}

/** The cell of a record, or of the item of a list, in a column of the contract. */
export const cellIn = (item: Value, { path }: Column): Cell => cellOf(isRecord(item) ? valueAt(item, path) : item);
