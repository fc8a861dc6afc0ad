import type { ScalarName } from '../../contract/build.js';
import { memberAt } from '../../contract/walk.js';
import type { Database, Row } from '../../state/sqlite/open.js';
import { onceCondition, allRows } from '../schema.js';
import { idColumnOf, isJoin, type MirrorColumn, type MirrorList, type MirrorTable } from '../tables.js';

/** The type of a published column: that of the contract, or `instant`, a time in UTC. */
export type PublishedType = ScalarName | 'enumeration' | 'instant';

/** A column of a published table. */
export interface PublishedColumn {
  readonly name: string;
  readonly type: PublishedType;
  /** The question for its cell, in the row `r` of a record or the row `i` of an item of a list. */
  readonly sql: string;
  readonly doc: string;
  readonly isIndexed: boolean;
}

/** A table as it is published: the rows that `sql` shows of it. */
export interface PublishedTable {
  readonly name: string;
  /** The table of the records: itself, or the one that has it as a list. */
  readonly of: MirrorTable;
  /** The list whose items it has; undefined for a table of records. */
  readonly list: MirrorList | undefined;
  readonly doc: string;
  readonly columns: readonly PublishedColumn[];
}

const docOf = ({ type, field: { doc } }: MirrorColumn): string =>
  type === 'instant' ? `The time of the column before it in UTC. ${doc}`.trim() : doc;

/** Columns of a record by which people and joins find it: its Id, names, keys, and the relations that it belongs to. */
function isIndexed(table: MirrorTable, column: MirrorColumn): boolean {
  const { name, path, field } = column;
  const role = path.length === 1 ? field.role : undefined;
  return name === table.idColumn || role === 'name' || role === 'key' || isJoin(column);
}

function ownColumn(
  name: string,
  type: PublishedType,
  publishedColumn: Pick<PublishedColumn, 'sql' | 'doc'>,
): PublishedColumn {
  return { name, type, isIndexed: name === '_owner', ...publishedColumn };
}

const times = [
  ownColumn('_first_seen', 'instant', {
    sql: 'r."_first_seen"',
    doc: 'Start of the sync that added the row.',
  }),
  ownColumn('_changed_at', 'instant', {
    sql: 'r."_changed_at"',
    doc: 'Start of the last sync that changed the row.',
  }),
];

function tableOfRecords(table: MirrorTable): PublishedTable {
  const { name, holds, record, operation } = table;
  const columns = table.columns.map((column): PublishedColumn => ({
    name: column.name,
    type: column.type,
    sql: `r."${column.name}"`,
    doc: docOf(column),
    isIndexed: isIndexed(table, column),
  }));
  const doc = `${record.doc} Holds ${holds}, as ${operation.name} lists them.`.trim();
  return { name, of: table, list: undefined, doc, columns: [...columns, ...times] };
}

function tableOfItems(table: MirrorTable, list: MirrorList): PublishedTable {
  const columns = list.columns.map((column): PublishedColumn => ({
    name: column.name,
    type: column.type,
    sql: `i."${column.name}"`,
    doc: docOf(column),
    isIndexed: false,
  }));
  const owner = ownColumn('_owner', idColumnOf(table).type, {
    sql: `r."${table.idColumn}"`,
    doc: `The ${table.idColumn} of the record in ${table.name}.`,
  });
  const position = ownColumn('_position', 'int', { sql: 'i."_position"', doc: 'The place in the list, from 0.' });
  const doc = memberAt(table.record.fields, list.path)?.doc ?? '';
  return { name: list.name, of: table, list, doc, columns: [owner, position, ...columns] };
}

/** A table of the mirror as it is published, and the tables of the lists within its records behind it. */
export const publishedTables = (table: MirrorTable): readonly PublishedTable[] => [
  tableOfRecords(table),
  ...table.lists.map((list) => tableOfItems(table, list)),
];

/** All rows. */
export const allSeqs: readonly [first: number, last: number] = [0, Number.MAX_SAFE_INTEGER];

/** The condition for a row `r` of a record that `sql` shows. */
export const visibleCondition = (table: MirrorTable): string => `r."_gone_at" IS NULL${onceCondition(table)}`;

/**
 * The rows of a table that `sql` shows, of records with numbers in a range, in their order. Throws `local`.
 * @param cells what is asked of each row, as `sql` of a column is
 */
export function rowsOf(
  database: Database,
  { of, list }: Pick<PublishedTable, 'of' | 'list'>,
  { cells, range }: { readonly cells: readonly string[]; readonly range: readonly [first: number, last: number] },
): Iterable<Row> {
  const all = `"${allRows(of.name)}" r`;
  const from = list === undefined ? all : `"${allRows(list.name)}" i CROSS JOIN ${all} ON r."_seq" = i."_owner"`;
  const [key, order] = list === undefined ? ['r."_seq"', 'r."_seq"'] : ['i."_owner"', 'i."_owner", i."_position"'];
  const sql = `SELECT ${cells.join(', ')} FROM ${from} WHERE ${key} BETWEEN ?1 AND ?2 AND ${visibleCondition(of)} ORDER BY ${order}`;
  return database.statement(sql).each(...range);
}
