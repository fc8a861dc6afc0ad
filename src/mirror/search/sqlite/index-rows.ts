import { fold } from '../../../lexical/fold.js';
import type { Database } from '../../../sqlite/open.js';
import type { Cell } from '../../../tables/cells.js';
import { searchedTables, type Searched, type SearchedList } from '../searched.js';
import { longestNumber, numbersIn } from '../telephone.js';

// An index of each table that is searched: FTS5 over groups of three characters, without the texts. A row of it has the
// values of a record, each between two marks, so that the beginning and the end of a value can be looked for. The tokenizer
// folds most letters of Europe as `fold` does; rows with others are folded before they come.

/** Stands before and behind each value in the index; XML cannot hold it. */
export const mark = '\u0001';

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

/** Characters that may stand behind others in any index; those that are in some alone are kept beside it. */
export const usualLetters = (): ReadonlySet<string> =>
  new Set(
    usualRanges.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, at) => fold(String.fromCodePoint(first + at))),
    ),
  );

/** A telephone number of which SQL can take the digits. */
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

/** True, in SQL, for a row with a value that the program has to fold. */
function isOther({ columns, lists }: Searched): string {
  const all = columns.map((column) => `coalesce(r."${column}" GLOB '${otherText}', 0)`);
  const items = lists.map((list) => {
    const value = `i."${list.column}"`;
    const number = `${value} GLOB '${otherNumber}' OR ${value} GLOB '*(0)*' OR length(${value}) > ${longestNumber}`;
    const other = list.isNumber === true ? number : `${value} GLOB '${otherText}'`;
    return `EXISTS (SELECT 1 ${itemsOf(list)} AND (${other}))`;
  });
  return [...all, ...items].join(' OR ');
}

/** The values of a list of a row, as a JSON array in SQL. */
export const itemsAsJson = (list: SearchedList): string =>
  `(SELECT json_group_array(i."${list.column}") ${itemsOf(list)})`;

/** What a value that the program folds adds to the text of its row. */
const added = (value: Cell | undefined): string => (typeof value === 'string' ? `${fold(value)} ${mark}` : '');

function addedItems({ isNumber }: SearchedList, json: Cell | undefined): string {
  const items = (JSON.parse(String(json)) as readonly Cell[]).filter((item) => typeof item === 'string');
  if (isNumber !== true) return items.map(added).join('');
  return items.flatMap((item) => numbersIn(item).map(({ all }) => `${all} ${mark}`)).join('');
}

/** Keeps the characters that are not usual: any of them may stand behind two characters that are looked for. */
function keepLetters(database: Database, text: string, known: Set<string>): void {
  for (const letter of text) {
    if (known.has(letter)) continue;
    known.add(letter);
    database.statement('INSERT OR IGNORE INTO "_find_letters" (letter) VALUES (?)').run(letter);
  }
}

/** Which rows to index: all, or those whose `_seq` a query gives. */
type Rows = 'all' | { readonly seqs: string };

const isWanted = (rows: Rows): string => (rows === 'all' ? 'TRUE' : `r."_seq" IN (${rows.seqs})`);

/** Makes the tables of the index, empty, in a mirror that has none. Throws RelctlError `local`. */
export const createSearch = (): string =>
  [
    'CREATE TABLE "_find_letters" (letter TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;',
    ...searchedTables.map(
      (table) =>
        `CREATE VIRTUAL TABLE "${indexOf(table)}" USING fts5(text, tokenize = 'trigram remove_diacritics 1', content = '', contentless_delete = 1);`,
    ),
  ].join('\n');

function indexOthers(database: Database, table: Searched, wanted: string): void {
  const columns = [...table.columns.map((column) => `r."${column}"`), ...table.lists.map(itemsAsJson)].join(', ');
  const rows = database.statement(
    `SELECT r."_seq", ${columns} FROM "${table.base}" r WHERE ${wanted} AND (${isOther(table)})`,
  );
  const insert = database.statement(`INSERT INTO "${indexOf(table)}" (rowid, text) VALUES (?, ?)`);
  const known = new Set(usualLetters());
  for (const [seq, ...values] of rows.each()) {
    const own = table.columns.map((_, at) => added(values[at]));
    const items = table.lists.map((list, at) => addedItems(list, values[table.columns.length + at]));
    const text = [mark, ...own, ...items].join('');
    insert.run(seq ?? null, text);
    keepLetters(database, text, known);
  }
}

function indexTable(database: Database, table: Searched, rows: Rows): void {
  const name = indexOf(table);
  const wanted = isWanted(rows);
  if (rows === 'all') database.execute(`INSERT INTO "${name}" ("${name}") VALUES ('delete-all')`);
  else unindexTable(database, table, rows.seqs);
  database.execute(
    `INSERT INTO "${name}" (rowid, text) SELECT r."_seq", ${textOf(table)} FROM "${table.base}" r WHERE ${wanted} AND NOT (${isOther(table)})`,
  );
  indexOthers(database, table, wanted);
  if (rows === 'all') database.execute(`INSERT INTO "${name}" ("${name}") VALUES ('optimize')`);
}

const unindexTable = (database: Database, table: Searched, seqs: string): void =>
  database.execute(`DELETE FROM "${indexOf(table)}" WHERE rowid IN (${seqs})`);

const indexesOf = (base: string): readonly Searched[] => searchedTables.filter((table) => table.base === base);

/**
 * Indexes rows of a table after they were written, within the transaction that writes them. Rows that are gone stay in the
 * index. Throws RelctlError `local`.
 * @param base name of the base table, `all_relations`; one that is not searched is left alone
 * @param rows `all` for a table that had no rows; otherwise the `_seq` of new and changed rows, as a query
 */
export function indexRows(database: Database, base: string, rows: Rows): void {
  for (const table of indexesOf(base)) indexTable(database, table, rows);
}

/** Takes rows out of the index, before or after they are deleted. Throws RelctlError `local`. */
export function unindexRows(database: Database, base: string, seqs: string): void {
  for (const table of indexesOf(base)) unindexTable(database, table, seqs);
}
