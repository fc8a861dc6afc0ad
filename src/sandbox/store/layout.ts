import type { RecordType, Type } from '../../contract/build.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { layout, type Column, type Keeping, type ListTable } from '../../contract/tables/columns.js';
import { scalarOf, valuesOf } from '../../contract/walk.js';

type Storage =
  | {
      readonly as: 'table';
      /** Columns beside those of the record: whom the row belongs to, sort keys. SQL types by name. */
      readonly extra?: Readonly<Record<string, string>>;
      /** Columns of each further index; a `UNIQUE` index on Id is always made. */
      readonly indexes?: readonly (readonly string[])[];
      /** Columns that a row in outline has (see Outline). */
      readonly outline?: readonly string[];
      /** Nested records that are stored in another table, and the column with their Id. */
      readonly via?: Readonly<Record<string, string>>;
    }
  /** Stored in the columns, or in a list table, of every record that has it. */
  | { readonly as: 'part' }
  /** Another shape of the rows of a table; `differs` names the members that are worked out from it. */
  | { readonly as: 'view'; readonly of: string; readonly differs?: readonly string[] }
  /** Never kept: worked out when asked for, or part of the messages only. */
  | { readonly as: 'none'; readonly why: string };

/**
 * How a table keeps rows of a large data set that nobody has written to: by their Id, what they belong to and are searched
 * by. The rest is null, and made again from the seed when the row is read. Tables are joined by seq for this.
 */
interface Outline {
  readonly keys: readonly string[];
  /** A column that every whole row has a value in: null says that the row is in outline. */
  readonly mark: string;
}

/** A table of records: `seq INTEGER PRIMARY KEY`, then the columns in contract order, then the extra ones. */
export interface Table {
  readonly name: string;
  readonly record: RecordType;
  readonly columns: readonly Column[];
  readonly lists: readonly ListTable[];
  readonly indexes: readonly (readonly string[])[];
  readonly outline?: Outline;
}

/** Storage by record name. */
export type StorageMap = Readonly<Record<string, Storage>>;

const storageOf = (storage: StorageMap, name: string): Storage => {
  const found = storage[name];
  if (found === undefined) throw new RelctlError('bug', `No storage is laid down for the record ${name}.`);
  return found;
};

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const integers: ReadonlySet<string> = new Set(['int', 'short', 'boolean']);

const sqlOf = (type: Type, name: string, isRequired: boolean): string => {
  const required = isRequired ? ' NOT NULL' : '';
  const values = valuesOf(type);
  if (values !== undefined) return `TEXT${required} CHECK ("${name}" IN (${values.map(quote).join(', ')}))`;
  return `${integers.has(scalarOf(type) ?? '') ? 'INTEGER' : 'TEXT'}${required}`;
};

const keepingOf = (storage: StorageMap, table: string, via: Readonly<Record<string, string>>): Keeping => ({
  table,
  isPart: (record) => storageOf(storage, record.name).as === 'part',
  reference: (record, name) =>
    storageOf(storage, record.name).as === 'table' && via[name] === undefined
      ? [{ name: `${name}_Id`, path: [], type: 'extra', sql: 'TEXT' }]
      : [],
  sql: sqlOf,
});

const required = / NOT NULL/;

/** The first required column that a row in outline lacks. Throws RelctlError `bug` when there is none. */
function markOf(name: string, columns: readonly Column[], keys: readonly string[]): string {
  const found = columns.find((column) => required.test(column.sql) && !keys.includes(column.name));
  if (found === undefined) throw new RelctlError('bug', `Nothing tells rows of ${name} in outline from whole ones.`);
  return found.name;
}

const ofWholeRows = (columns: readonly Column[], { keys, mark }: Outline): readonly Column[] =>
  columns.map((column) => {
    if (keys.includes(column.name) || !required.test(column.sql)) return column;
    const whole = column.name === mark ? '' : ` CHECK ("${column.name}" IS NOT NULL OR "${mark}" IS NULL)`;
    return { ...column, sql: column.sql.replace(required, whole) };
  });

/** The table of a record; undefined without one. Throws `bug` for a record without a line in the storage map. */
export function tableOf(record: RecordType, storage: StorageMap): Table | undefined {
  const kept = storageOf(storage, record.name);
  if (kept.as !== 'table') return undefined;
  const { columns: own, lists } = layout(record, keepingOf(storage, record.name, kept.via ?? {}));
  const extra = Object.entries(kept.extra ?? {}).map(([name, sql]): Column => ({ name, path: [], type: 'extra', sql }));
  const columns = [...own, ...extra];
  const table = { name: record.name, record, columns, lists, indexes: kept.indexes ?? [] };
  const keys = kept.outline;
  if (keys === undefined) return table;
  const outline = { keys, mark: markOf(record.name, columns, keys) };
  return { ...table, columns: ofWholeRows(columns, outline), outline };
}

const columnsText = (columns: readonly Column[]): string =>
  columns.map((column) => `,\n  "${column.name}" ${column.sql}`).join('');

/** The statement that makes the table of records, without its indexes. */
export function createTable(table: Table): string {
  return `CREATE TABLE "${table.name}" (\n  seq INTEGER PRIMARY KEY${columnsText(table.columns)}\n) STRICT;`;
}

/** The statement that makes the table of a list. */
export function createListTable(table: Table, list: ListTable): string {
  return (
    `CREATE TABLE "${list.name}" (\n  owner INTEGER NOT NULL REFERENCES "${table.name}" (seq) ON DELETE CASCADE,\n` +
    `  position INTEGER NOT NULL${columnsText(list.columns)},\n  PRIMARY KEY (owner, position)\n) STRICT, WITHOUT ROWID;`
  );
}
