import data from './storage.json' with { type: 'json' };
import { createHash } from 'node:crypto';
import { records } from '../../contract/service.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { type ListTable, layout, type Column, type Keeping } from '../../contract/columns.js';
import { contentTable } from './open.js';
import type { RecordType, Type } from '../../contract/build.js';
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

/** How each record of the contract is kept. A record that is missing there is a failure of the first start. */
export const storage = data as Readonly<Record<string, Storage>>;

const storageOf = (record: string): Storage => {
  const { [record]: stored } = storage;
  if (stored === undefined) throw new RelctlError('bug', `There is no table for the record ${record}.`);
  return stored;
};

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const integers: ReadonlySet<string> = new Set(['int', 'short', 'boolean']);

const sqlOf = (type: Type, name: string, isRequired: boolean): string => {
  const required = isRequired ? ' NOT NULL' : '';
  const values = valuesOf(type);
  if (values !== undefined) return `TEXT${required} CHECK ("${name}" IN (${values.map(quote).join(', ')}))`;
  return `${integers.has(scalarOf(type) ?? '') ? 'INTEGER' : 'TEXT'}${required}`;
};

const keepingOf = (table: string, via: Readonly<Record<string, string>>): Keeping => ({
  table,
  isPart: (record) => storageOf(record.name).as === 'part',
  reference: (record, name) =>
    storageOf(record.name).as === 'table' && via[name] === undefined
      ? [{ name: `${name}_Id`, path: [], type: 'extra', sql: 'TEXT' }]
      : [],
  sql: sqlOf,
});

const required = / NOT NULL/;

/** The first required column that a row in outline lacks. Throws RelctlError `bug` when there is none. */
function markOf(name: string, columns: readonly Column[], keys: readonly string[]): string {
  const mark = columns.find((column) => required.test(column.sql) && !keys.includes(column.name));
  if (mark === undefined) throw new RelctlError('bug', `Nothing tells rows of ${name} in outline from whole ones.`);
  return mark.name;
}

const ofWholeRows = (columns: readonly Column[], { keys, mark }: Outline): readonly Column[] =>
  columns.map((column) => {
    if (keys.includes(column.name) || !required.test(column.sql)) return column;
    const whole = column.name === mark ? '' : ` CHECK ("${column.name}" IS NOT NULL OR "${mark}" IS NULL)`;
    return { ...column, sql: column.sql.replace(required, whole) };
  });

/** The table of a record; undefined without one. Throws `bug` for a record without a line in the storage map. */
function tableOf(record: RecordType): Table | undefined {
  const stored = storageOf(record.name);
  if (stored.as !== 'table') return undefined;
  const { columns: own, lists } = layout(record, keepingOf(record.name, stored.via ?? {}));
  const extra = Object.entries(stored.extra ?? {}).map(([name, sql]): Column => ({
    name,
    path: [],
    type: 'extra',
    sql,
  }));
  const columns = [...own, ...extra];
  const table = { name: record.name, record, columns, lists, indexes: stored.indexes ?? [] };
  const keys = stored.outline;
  if (keys === undefined) return table;
  const outline = { keys, mark: markOf(record.name, columns, keys) };
  return { ...table, columns: ofWholeRows(columns, outline), outline };
}

const columnsText = (columns: readonly Column[]): string =>
  columns.map((column) => `,\n  "${column.name}" ${column.sql}`).join('');

/** Tables for which the contract has no record: what its ids point at, and how the data set was made. */
const ownTables = `
CREATE TABLE "Parameter" (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE "EntityType" (seq INTEGER PRIMARY KEY, Id TEXT NOT NULL UNIQUE, Name TEXT NOT NULL, Kind TEXT NOT NULL) STRICT;
CREATE TABLE "Workflow" (seq INTEGER PRIMARY KEY, Id TEXT NOT NULL UNIQUE, Name TEXT NOT NULL, EntityTypeId TEXT NOT NULL) STRICT;
CREATE TABLE "Queue" (seq INTEGER PRIMARY KEY, Id TEXT NOT NULL UNIQUE, Name TEXT NOT NULL, WorkflowId TEXT NOT NULL) STRICT;
CREATE TABLE "User" (seq INTEGER PRIMARY KEY, Id TEXT NOT NULL UNIQUE, Name TEXT NOT NULL) STRICT;
CREATE TABLE "ProductGroup" (seq INTEGER PRIMARY KEY, Id TEXT NOT NULL UNIQUE, Name TEXT NOT NULL) STRICT;
CREATE TABLE "Vat" (seq INTEGER PRIMARY KEY, Id TEXT NOT NULL UNIQUE, Code TEXT NOT NULL, Description TEXT NOT NULL, Percentage TEXT NOT NULL) STRICT;
CREATE TABLE "Title" (seq INTEGER PRIMARY KEY, Id TEXT NOT NULL UNIQUE, Name TEXT NOT NULL) STRICT;
CREATE TABLE "ActivityConnection" (ActivitySeq INTEGER NOT NULL, ConnectedSeq INTEGER NOT NULL, ActivityId TEXT, ConnectedId TEXT, PRIMARY KEY (ActivitySeq, ConnectedSeq)) STRICT, WITHOUT ROWID;`;

/** Every table of records, derived from the contract. */
export const tables: ReadonlyMap<string, Table> = new Map(
  Object.values(records).flatMap((record) => {
    const table = tableOf(record);
    return table === undefined ? [] : [[record.name, table]];
  }),
);

/** The table of a record. Throws RelctlError `bug` when that record has none. */
export function tableFor(record: string): Table {
  const table = tables.get(record);
  if (table === undefined) throw new RelctlError('bug', `The record ${record} has no table.`);
  return table;
}

/** The table of a list of a record, by its path (`FieldValues.Items`). Throws RelctlError `bug` when there is none. */
export function listFor(record: string, path: string): ListTable {
  const list = tableFor(record).lists.find((one) => one.path.join('.') === path);
  if (list === undefined) throw new RelctlError('bug', `The record ${record} keeps no list ${path}.`);
  return list;
}

/** Where the field values of a record are. */
export const fieldValues = 'FieldValues.Items';

/** Statements that make all tables; indexes come later, so that filling is quick. */
export function createTables(): string {
  const derived = [...tables.values()].flatMap(({ name, columns, lists }) => [
    `CREATE TABLE "${name}" (\n  seq INTEGER PRIMARY KEY${columnsText(columns)}\n) STRICT;`,
    ...lists.map(
      (list) =>
        `CREATE TABLE "${list.name}" (\n  owner INTEGER NOT NULL REFERENCES "${name}" (seq) ON DELETE CASCADE,\n` +
        `  position INTEGER NOT NULL${columnsText(list.columns)},\n  PRIMARY KEY (owner, position)\n) STRICT, WITHOUT ROWID;`,
    ),
  ]);
  return [ownTables, ...derived, contentTable].join('\n');
}

const indexOf = ({ name: table, outline, columns: all }: Table, columns: readonly string[], kind = 'INDEX'): string => {
  const quoted = columns.map((name) => `"${name}"`);
  const isFull =
    outline === undefined || all.find(({ name }) => name === columns[0])?.sql.endsWith('NOT NULL') === true;
  // What is null in many rows is searched for by a value only.
  const where = isFull ? '' : ` WHERE ${quoted[0] ?? ''} IS NOT NULL`;
  return `CREATE ${kind} "${table}_by_${columns.join('_')}" ON "${table}" (${quoted.join(', ')})${where};`;
};

/** Statements that make all indexes, in their order. */
export const createIndexes = (): readonly string[] =>
  [...tables.values()].flatMap((table) => [
    ...(table.columns.some((column) => column.name === 'Id') ? [indexOf(table, ['Id'], 'UNIQUE INDEX')] : []),
    ...table.indexes.map((columns) => indexOf(table, columns)),
  ]);

/**
 * Rows in outline are made again from the seed, so a database can be read only by code that makes the same rows. To be
 * raised with every change of what the data set holds; a test knows its digest.
 */
const datasetVersion = 2;

/** What a database keeps in `user_version`: a digest of all statements, so that no change of them can be forgotten. */
export function schemaVersion(): number {
  const statements = [`-- data set ${datasetVersion}`, createTables(), ...createIndexes()].join('\n');
  // SQLite has 32 bits for it, with a sign.
  return createHash('sha256').update(statements).digest().readUInt32BE() >>> 1;
}
