import { createHash } from 'node:crypto';

import { records } from '../../contract/service.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { ListTable } from '../../contract/tables/columns.js';
import { createListTable, createTable, tableOf, type StorageMap, type Table } from './layout.js';
import data from './storage.json' with { type: 'json' };
import { contentTable } from './open.js';

/** How each record of the contract is kept. A record that is missing there is a failure of the first start. */
export const storage = data as StorageMap;

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
    const table = tableOf(record, storage);
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
  const derived = [...tables.values()].flatMap((table) => [
    createTable(table),
    ...table.lists.map((list) => createListTable(table, list)),
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

const indexesOf = (table: Table): readonly string[] => [
  ...(table.columns.some((column) => column.name === 'Id') ? [indexOf(table, ['Id'], 'UNIQUE INDEX')] : []),
  ...table.indexes.map((columns) => indexOf(table, columns)),
];

/** Statements that make all indexes, in their order. */
export const createIndexes = (): readonly string[] => [...tables.values()].flatMap(indexesOf);

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
