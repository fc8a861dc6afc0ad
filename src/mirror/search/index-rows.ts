import { fold } from '../../core/text/text.js';
import type { Cell } from '../../contract/columns.js';
import type { Database } from '../../state/sqlite/open.js';
import { longestNumber, numbersIn, searchedTables, type Searched, type SearchedList } from './match.js';

// An index of each table that is searched: FTS5 over groups of three characters, without the texts. A row of it has the
// values of a record, each between two marks, so that the beginning and the end of a value can be looked for. The tokenizer
// folds most letters of Europe as `fold` does; rows with others are folded before they come.

/** Stands before and behind each value in an index; XML cannot hold it. */
export const mark = '\u0001';

const added = (value: Cell | undefined): string => (typeof value === 'string' ? `${fold(value)} ${mark}` : '');

function addedItems({ isNumber }: SearchedList, json: Cell | undefined): string {
  const items = (JSON.parse(String(json)) as readonly Cell[]).filter((item) => typeof item === 'string');
  if (isNumber !== true) return items.map(added).join('');
  return items.flatMap((item) => numbersIn(item).map(({ all }) => `${all} ${mark}`)).join('');
}

/** Name of the index of a table. */
export const indexOf = ({ table }: Searched): string => `_find_${table}`;

/**
 * Characters that the tokenizer folds as `fold` does: ASCII, the letters of most languages of Europe, and quotation marks.
 * Ranges, and few: SQLite compares each character with all of them.
 */
const usualRanges = [
  [0x01, 0x7f],
  [0xc0, 0x17f],
  [0x2018, 0x201d],
] as const;

/** A text that the program has to fold, as a pattern of SQLite. */
const otherText = `*[^${usualRanges.map((range) => String.fromCodePoint(range[0], 0x2d, range[1])).join('')}]*`;

const otherNumber = '*[^0-9 ()+./-]*';
const between = [' ', '-', '(', ')', '.', '/', '+'];

const withMark = (value: string): string => `coalesce(${value} || ' ' || char(1), '')`;

const digitsOf = (value: string): string => between.reduce((sql, each) => `replace(${sql}, '${each}', '')`, value);

const itemsOf = ({ base }: SearchedList): string => `FROM "${base}" i WHERE i."_owner" = r."_seq"`;

/** The text of a row that needs nothing that SQL does not have. */
function textOf({ columns, lists }: Searched): string {
  const items = lists.map((list) => {
    const value = `i."${list.column}"`;
    return `coalesce((SELECT group_concat(${withMark(list.isNumber === true ? digitsOf(value) : value)}, '') ${itemsOf(list)}), '')`;
  });
  return ['char(1)', ...columns.map((column) => withMark(`r."${column}"`)), ...items].join(' || ');
}

/** True, in SQL, for a text that the program has to fold. Most are ASCII, which is seen sooner than by the pattern. */
const isOtherText = (value: string): string =>
  `(length(CAST(${value} AS BLOB)) <> length(${value}) AND ${value} GLOB '${otherText}')`;

function isOther({ columns, lists }: Searched): string {
  const all = columns.map((column) => `coalesce(${isOtherText(`r."${column}"`)}, 0)`);
  const items = lists.map((list) => {
    const value = `i."${list.column}"`;
    const number = `${value} GLOB '${otherNumber}' OR ${value} GLOB '*(0)*' OR length(${value}) > ${longestNumber}`;
    const other = list.isNumber === true ? number : isOtherText(value);
    return `EXISTS (SELECT 1 ${itemsOf(list)} AND (${other}))`;
  });
  return [...all, ...items].join(' OR ');
}

/** The values of a list of a row, as a JSON array in SQL. */
export const itemsAsJson = (list: SearchedList): string =>
  `(SELECT json_group_array(i."${list.column}") ${itemsOf(list)})`;

const createIndex = (table: Searched): string =>
  `CREATE VIRTUAL TABLE "${indexOf(table)}" USING fts5(text, tokenize = 'trigram remove_diacritics 1', content = '', contentless_delete = 1);`;

/** The statements that make the tables of the index, empty, in a mirror that has none. */
export const createSearch = (): string => searchedTables.map(createIndex).join('\n');

/** The rows that the program has to fold, while a table is indexed: to find them once is cheaper than each row twice. */
const others = 'temp."_find_others"';

function indexOthers(database: Database, table: Searched): void {
  const columns = [...table.columns.map((column) => `r."${column}"`), ...table.lists.map(itemsAsJson)].join(', ');
  const rows = database.statement(
    `SELECT r."_seq", ${columns} FROM ${others} o CROSS JOIN "${table.base}" r ON r."_seq" = o.seq`,
  );
  const insert = database.statement(`INSERT INTO "${indexOf(table)}" (rowid, text) VALUES (?, ?)`);
  for (const [seq, ...values] of rows.each()) {
    const own = table.columns.map((_, at) => added(values[at]));
    const items = table.lists.map((list, at) => addedItems(list, values[table.columns.length + at]));
    insert.run(seq ?? null, [mark, ...own, ...items].join(''));
  }
}

/** Statements that index what SQL alone can of the rows `r` that a condition is true for, and find the others. */
function addUsual(table: Searched, condition: string): string {
  const from = `FROM "${table.base}" r WHERE ${condition} AND`;
  return [
    `DROP TABLE IF EXISTS ${others}; CREATE TEMP TABLE "_find_others" (seq INTEGER PRIMARY KEY)`,
    `INSERT INTO ${others} SELECT r."_seq" ${from} (${isOther(table)})`,
    `INSERT INTO "${indexOf(table)}" (rowid, text) SELECT r."_seq", ${textOf(table)} ${from} r."_seq" NOT IN (SELECT seq FROM ${others})`,
  ].join('; ');
}

function addRows(database: Database, table: Searched, condition: string): void {
  database.execute(addUsual(table, condition));
  indexOthers(database, table);
  database.execute(`DROP TABLE ${others}`);
}

/** Settings of FTS5: bytes of rows that wait in memory, and how many parts of the index are merged while it grows. */
const settings = {
  usual: { hashsize: 1024 * 1024, automerge: 4, crisismerge: 16 },
  /** For all rows of a table: fewer and larger parts, which are merged once, at the end. */
  all: { hashsize: 8 * 1024 * 1024, automerge: 0, crisismerge: 128 },
} as const;

function settle(table: Searched, chosen: keyof typeof settings): string {
  const name = `"${indexOf(table)}"`;
  const all = Object.entries(settings[chosen]);
  return all
    .map(([setting, value]) => `INSERT INTO ${name} (${name}, rank) VALUES ('${setting}', ${value});`)
    .join(' ');
}

function complete(table: Searched): string {
  const name = `"${indexOf(table)}"`;
  return `INSERT INTO ${name} (${name}) VALUES ('optimize'); ${settle(table, 'usual')}`;
}

function indexAll(database: Database, table: Searched): void {
  const name = `"${indexOf(table)}"`;
  database.execute(`INSERT INTO ${name} (${name}) VALUES ('delete-all'); ${settle(table, 'all')}`);
  addRows(database, table, 'TRUE');
  database.execute(complete(table));
}

const unindexTable = (database: Database, table: Searched, seqs: string): void =>
  database.execute(`DELETE FROM "${indexOf(table)}" WHERE rowid IN (${seqs})`);

/** What is searched of a base table. */
export const indexesOf = (base: string): readonly Searched[] => searchedTables.filter((table) => table.base === base);

/**
 * Indexes rows of a table after they were written, within the transaction that writes them. Rows that are gone stay in the
 * index. Throws RelctlError `local`.
 * @param base name of the base table, `all_relations`; one that is not searched is left alone
 * @param rows `all` for a table that had no rows; otherwise the `_seq` of new and changed rows, as a query
 */
export function indexRows(database: Database, base: string, rows: 'all' | { readonly seqs: string }): void {
  for (const table of indexesOf(base)) {
    if (rows === 'all') indexAll(database, table);
    else {
      unindexTable(database, table, rows.seqs);
      addRows(database, table, `r."_seq" IN (${rows.seqs})`);
    }
  }
}

/** Takes rows out of the index, before or after they are deleted. Throws RelctlError `local`. */
export function unindexRows(database: Database, base: string, seqs: string): void {
  for (const table of indexesOf(base)) unindexTable(database, table, seqs);
}

/** Statements that make an index of a table in a database of its own, to be filled by `indexAside`. */
export const createAside = (table: Searched): string => `${createIndex(table)} ${settle(table, 'all')}`;

/**
 * Indexes rows in a database of its own, on another thread but for those that the program has to fold. Throws RelctlError
 * `local`.
 * @param table with the names of base tables that an attached database has
 */
export async function indexAside(
  database: Database,
  table: Searched,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  await database.executeAside(`BEGIN; ${addUsual(table, `r."_seq" BETWEEN ${from} AND ${to}`)}; COMMIT`);
  database.write(() => indexOthers(database, table));
}

/** Completes an index that `indexAside` filled. Throws RelctlError `local`. */
export const completeAside = (database: Database, table: Searched): Promise<void> =>
  database.executeAside(complete(table));

const tablesOfIndex = ['data', 'idx', 'docsize', 'config'];

/**
 * Takes the place of an index of no rows, by one that was filled in a database of its own, within the transaction that writes
 * the rows. Throws RelctlError `local`.
 * @param from name of that database, attached to this one
 */
export function takeIndex(database: Database, table: Searched, from: string): void {
  // A new one: FTS5 remembers what it read of one that it had open.
  database.execute(`DROP TABLE "${indexOf(table)}"; ${createIndex(table)}`);
  for (const each of tablesOfIndex.map((end) => `"${indexOf(table)}_${end}"`))
    database.execute(`DELETE FROM main.${each}; INSERT INTO main.${each} SELECT * FROM ${from}.${each}`);
}
