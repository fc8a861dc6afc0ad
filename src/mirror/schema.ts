import type { Cell } from '../contract/columns.js';
import { serviceLists } from '../contract/lists.js';
import { nameIndexes } from './names.js';
import { createSearch } from './search/index-rows.js';
import {
  isGuidColumn,
  isInteger,
  isJoin,
  isWithoutId,
  mirrorTables,
  numberColumn,
  type MirrorColumn,
  type MirrorList,
  type MirrorTable,
} from './tables.js';

/** Says in the header of a file that it is a mirror: "RELM". */
export const applicationId = 0x52454c4d;

/** Version of the layout of a mirror. A mirror of another one is refused. */
export const formatVersion = 3;

/** The cell as it stands in a statement. Texts must not come from the service: they are times and names of ours. */
export const literal = (cell: Cell): string =>
  typeof cell === 'string' ? `'${cell.replaceAll("'", "''")}'` : String(cell ?? 'NULL');

const defined = (columns: readonly MirrorColumn[]): string =>
  columns
    .flatMap((column) => {
      const number = numberColumn(column, columns);
      const own = `"${column.name}" ${storedAs(column)}`;
      // Readers know the type of a column of a view by that of a table alone.
      return number === undefined ? [own] : [own, `"${number.name}" ${number.stored} AS (${number.sql})`];
    })
    .join(', ');

/** GUIDs are kept as they are spelt, and are the same in any case of letters. */
const storedAs = (column: MirrorColumn): string =>
  isInteger(column) ? 'INTEGER' : isGuidColumn(column) ? 'TEXT COLLATE NOCASE' : 'TEXT';

const ownTables = `
CREATE TABLE "_mirror" (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE "_sources" (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "table" TEXT NOT NULL, input TEXT NOT NULL,
  synced_from TEXT, synced_at TEXT, rows INTEGER, added INTEGER, changed INTEGER, gone INTEGER) STRICT;
CREATE TABLE "_syncs" (source INTEGER NOT NULL, began_at TEXT NOT NULL, ended_at TEXT NOT NULL,
  PRIMARY KEY (source, began_at)) STRICT, WITHOUT ROWID;
CREATE TABLE "_asked" (source INTEGER NOT NULL, relation TEXT NOT NULL, through_ms INTEGER, began_at TEXT NOT NULL,
  PRIMARY KEY (source, relation)) STRICT, WITHOUT ROWID;
CREATE TABLE "_pages" (source INTEGER NOT NULL, number INTEGER NOT NULL, signature TEXT NOT NULL, seqs TEXT NOT NULL,
  PRIMARY KEY (source, number)) STRICT, WITHOUT ROWID;
CREATE TABLE "_passes" (source INTEGER PRIMARY KEY, calls TEXT NOT NULL, began_at TEXT NOT NULL, reading INTEGER NOT NULL,
  state TEXT, last_page INTEGER) STRICT;
CREATE TABLE "_pass_pages" (source INTEGER NOT NULL, reading INTEGER NOT NULL, number INTEGER NOT NULL,
  signature TEXT NOT NULL, seqs TEXT NOT NULL, PRIMARY KEY (source, reading, number)) STRICT, WITHOUT ROWID;
`;

const rowColumns =
  '"_record" TEXT NOT NULL, "_hash" TEXT NOT NULL, "_first_seen" TEXT NOT NULL, "_changed_at" TEXT NOT NULL, "_gone_at" TEXT';

const createRows = (name: string, table: MirrorTable): string =>
  `CREATE TABLE "${name}" ("_seq" INTEGER PRIMARY KEY, "_source" INTEGER NOT NULL, ${defined(table.columns)}, ${rowColumns}) STRICT;`;

const createItems = (name: string, list: MirrorList): string =>
  `CREATE TABLE "${name}" ("_owner" INTEGER NOT NULL, "_position" INTEGER NOT NULL, ${defined(list.columns)}, PRIMARY KEY ("_owner", "_position")) STRICT, WITHOUT ROWID;`;

/** Name of the table that a sync puts rows into until they become visible. */
export const staged = (name: string): string => `_stage_${name}`;

/** Name of the table that holds all rows, those too that are gone. */
export const allRows = (name: string): string => `all_${name}`;

/** Statements that make the empty tables of records and lists, by a naming of theirs. */
export const createTables = (table: MirrorTable, naming: (name: string) => string): string =>
  [createRows(naming(table.name), table), ...table.lists.map((list) => createItems(naming(list.name), list))].join(
    '\n',
  );

/** The names of a table and of its lists. */
export const namesOf = (table: MirrorTable): readonly string[] => [table.name, ...table.lists.map(({ name }) => name)];

/** Statements that drop the tables of records and lists, by a naming of theirs. */
export const dropTables = (table: MirrorTable, naming: (name: string) => string): string =>
  namesOf(table)
    .map((name) => `DROP TABLE IF EXISTS "${naming(name)}";`)
    .join('\n');

/** Statements that delete the items of rows, which a query or a list of their numbers gives. */
export const deleteItems = ({ lists }: MirrorTable, seqs: string): string =>
  lists.map(({ name }) => `DELETE FROM "${allRows(name)}" WHERE "_owner" IN (${seqs});`).join('\n');

/** The statements that make the indexes by which records are found by Id, by the records they belong to, and by name. */
export function createIndexes(table: MirrorTable): string {
  const { name, idColumn, columns } = table;
  const joins = columns.filter((column) => isJoin(column) && column.name !== idColumn);
  const statements = [
    `CREATE INDEX IF NOT EXISTS "${name}_by_id" ON "${allRows(name)}" ("${idColumn}")`,
    ...joins.map(
      (column) =>
        `CREATE INDEX IF NOT EXISTS "${name}_by_${column.name}" ON "${allRows(name)}" ("${column.name}") WHERE "${column.name}" IS NOT NULL`,
    ),
    ...nameIndexes(name),
  ];
  return statements.map((statement) => `${statement};`).join('\n');
}

/** The statement that makes the index by which records without an Id are found by their content. */
export function withoutIdIndex(table: MirrorTable, naming: (name: string) => string): string {
  const name = naming(table.name);
  return `CREATE INDEX IF NOT EXISTS "${name}_without_id" ON "${name}" ("_hash") WHERE ${isWithoutId(table)}`;
}

/** A record that has come from several sources is shown once: from the first of them. */
const isFirst = ({ name, idColumn, identity }: MirrorTable): string =>
  identity === 'content'
    ? ''
    : ` AND NOT EXISTS (SELECT 1 FROM "${allRows(name)}" o WHERE o."${idColumn}" = r."${idColumn}" AND o."_source" < r."_source" AND o."_gone_at" IS NULL)`;

const overlapping = new Set(serviceLists.flatMap(([table, { overlaps }]) => (overlaps === true ? [table] : [])));

/** The condition, behind others, under which a row `r` of a table is shown: where several sources have a record, one is. */
export const onceCondition = (table: MirrorTable): string => (overlapping.has(table.name) ? isFirst(table) : '');

/** The columns of a row that a view shows: beside the exact text of a number the number too, as far as SQLite can hold it. */
const visibleColumns = (columns: readonly MirrorColumn[], row: string): readonly string[] =>
  columns
    .flatMap((column) => [column.name, numberColumn(column, columns)?.name ?? []].flat())
    .map((name) => `${row}."${name}"`);

const viewsOfTable = (table: MirrorTable): readonly string[] => {
  const { name, idColumn, columns, lists } = table;
  const once = onceCondition(table);
  const there = `FROM "${allRows(name)}" r WHERE r."_gone_at" IS NULL${once}`;
  return [
    `CREATE VIEW "${name}" AS SELECT ${[...visibleColumns(columns, 'r'), '"_record"', '"_first_seen"', '"_changed_at"'].join(', ')} ${there};`,
    ...lists.map(
      (list) =>
        `CREATE VIEW "${list.name}" AS SELECT r."${idColumn}" AS "_owner", i."_position", ${visibleColumns(list.columns, 'i').join(', ')} FROM "${allRows(list.name)}" i JOIN "${allRows(name)}" r ON r."_seq" = i."_owner" WHERE r."_gone_at" IS NULL${once};`,
    ),
  ];
};

/** Statements that make the views of a table: its rows that are there, and their lists. */
export const createViews = (table: MirrorTable): string => viewsOfTable(table).join('\n');

/** Statements that drop the views of a table. */
export const dropViews = (table: MirrorTable): string =>
  namesOf(table)
    .map((name) => `DROP VIEW IF EXISTS "${name}";`)
    .join('\n');

/** Statements that make a table of a mirror, empty, with its indexes and views. */
export const createTable = (table: MirrorTable): string =>
  [createTables(table, allRows), createIndexes(table), createViews(table)].join('\n');

/** Statements that make a new mirror. */
export const createMirror = (): string =>
  [
    `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${formatVersion};`,
    ownTables,
    ...[...mirrorTables.values()].map(createTable),
    createSearch(),
  ].join('\n');
