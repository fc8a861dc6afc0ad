import type { Names } from '../../postgres/schema.js';
import { quoted } from '../../postgres/schema.js';
import type { Postgres, TextRow } from '../../../postgres/connect.js';
import { copyValue } from '../../../postgres/copy-text.js';
import { searchedTables, type Searched, type SearchedList } from '../searched.js';
import { longestNumber } from '../telephone.js';
import { added, addedItems, mark } from '../text.js';

// An index of each table that is searched: a table with a text a row, folded, in which LIKE looks for what somebody types.
// Where the extension pg_trgm is there, or may be made, an index of groups of three characters spares the reading of all
// texts. PostgreSQL folds what has ASCII alone; other values are folded by the program.

/** Name of the index of a table. */
export const indexOf = ({ table }: Searched): string => `_find_${table}`;

const indexesOf = (base: string): readonly Searched[] => searchedTables.filter((table) => table.base === base);

const itemsOf = ({ own }: Names, { base }: SearchedList): string => `FROM ${own(base)} i WHERE i._owner = r._seq`;

/** The values of a list of a row, as a JSON array in SQL. */
export const itemsAsJson = (names: Names, list: SearchedList): string =>
  `(SELECT coalesce(json_agg(i.${quoted(list.column)}::text ORDER BY i._position), '[]')::text ${itemsOf(names, list)})`;

const withMark = (value: string): string => `coalesce(${value} || ' ' || chr(1), '')`;

const foldedAscii = (value: string): string => `lower(${value}::text COLLATE "C")`;

/** The text of a row that needs nothing that SQL does not have. */
function textOf(names: Names, { columns, lists }: Searched): string {
  const items = lists.map((list) => {
    const value = `i.${quoted(list.column)}`;
    const text = list.isNumber === true ? `translate(${value}, ' -().+/', '')` : foldedAscii(value);
    return `coalesce((SELECT string_agg(${text} || ' ' || chr(1), '' ORDER BY i._position) ${itemsOf(names, list)}), '')`;
  });
  return ['chr(1)', ...columns.map((column) => withMark(foldedAscii(`r.${quoted(column)}`))), ...items].join(' || ');
}

/** True, in SQL, for a row with a value that the program has to fold. */
function isOther(names: Names, { columns, lists }: Searched): string {
  const beyondAscii = (value: string): string => `octet_length(${value}::text) <> char_length(${value}::text)`;
  const own = columns.map((column) => `coalesce(${beyondAscii(`r.${quoted(column)}`)}, false)`);
  const items = lists.map((list) => {
    const value = `i.${quoted(list.column)}`;
    const number = `${value} !~ '^[0-9 ()+./-]*$' OR ${value} LIKE '%(0)%' OR char_length(${value}) > ${longestNumber}`;
    return `EXISTS (SELECT 1 ${itemsOf(names, list)} AND (${list.isNumber === true ? number : beyondAscii(value)}))`;
  });
  return [...own, ...items].join(' OR ');
}

/** The line of COPY for a row that the program folds. */
function lineOf({ columns, lists }: Searched, [seq, ...cells]: TextRow): string {
  const own = columns.map((_, at) => added(cells[at] ?? null));
  const items = lists.map((list, at) => addedItems(list, cells[columns.length + at] ?? '[]'));
  return `${seq}\t${copyValue([mark, ...own, ...items].join(''), 'the search index')}\n`;
}

const linesAtOnce = 2000;

async function indexOthers(postgres: Postgres, names: Names, { table, wanted }: Indexing): Promise<void> {
  const columns = table.columns.map((column) => `r.${quoted(column)}::text`);
  const lists = table.lists.map((list) => itemsAsJson(names, list));
  const sql = `SELECT r._seq, ${[...columns, ...lists].join(', ')} FROM ${names.own(table.base)} r WHERE ${wanted} AND (${isOther(names, table)})`;
  let lines: string[] = [];
  const send = async (): Promise<void> => {
    const copy = postgres.copyIn(`COPY ${names.own(indexOf(table))} (_seq, text) FROM STDIN`);
    await copy.write(lines.join(''));
    await copy.end();
    lines = [];
  };
  for await (const row of postgres.each(sql)) {
    lines.push(lineOf(table, row));
    if (lines.length === linesAtOnce) await send();
  }
  if (lines.length > 0) await send();
}

/** Rows of a table that are indexed. */
interface Indexing {
  readonly table: Searched;
  /** Which rows `r` they are, in SQL. */
  readonly wanted: string;
}

async function addRows(postgres: Postgres, names: Names, { table, wanted }: Indexing): Promise<void> {
  await postgres.execute(
    `INSERT INTO ${names.own(indexOf(table))} (_seq, text) SELECT r._seq, ${textOf(names, table)} ` +
      `FROM ${names.own(table.base)} r WHERE ${wanted} AND NOT (${isOther(names, table)})`,
  );
  await indexOthers(postgres, names, { table, wanted });
}

const mayMakeTrigrams =
  "SELECT 1 FROM pg_catalog.pg_available_extensions WHERE name = 'pg_trgm' " +
  "AND pg_catalog.has_database_privilege(current_database(), 'CREATE')";

/** The schema of the extension pg_trgm, which is made where this user may; undefined without it. */
async function trigrams(postgres: Postgres): Promise<string | undefined> {
  const found = async (): Promise<string | undefined> =>
    (
      await postgres.first(
        "SELECT n.nspname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm'",
      )
    )?.[0] ?? undefined;
  const there = await found();
  if (there !== undefined || (await postgres.first(mayMakeTrigrams)) === undefined) return there;
  await postgres.execute('SAVEPOINT before_trigrams');
  try {
    // Not in the schema of the mirror, with which it would be dropped under the indexes of others.
    await postgres.execute('CREATE EXTENSION pg_trgm SCHEMA public');
    await postgres.execute('RELEASE SAVEPOINT before_trigrams');
  } catch {
    // It is not installed, or this user may not: then all texts are read. A connection that broke off fails here.
    await postgres.execute('ROLLBACK TO SAVEPOINT before_trigrams');
  }
  return found();
}

/** Makes the index of trigrams of a table whose rows are there, where it is absent and can be made. */
async function makeTrigrams(postgres: Postgres, names: Names, table: Searched): Promise<void> {
  const name = `${indexOf(table)}_trigrams`;
  const there = 'SELECT 1 FROM pg_catalog.pg_indexes WHERE schemaname = $1 AND indexname = $2';
  if ((await postgres.first(there, [names.schema, name])) !== undefined) return;
  const schema = await trigrams(postgres);
  if (schema === undefined) return;
  await postgres.execute(
    `CREATE INDEX ${quoted(name)} ON ${names.own(indexOf(table))} USING gin (text ${quoted(schema)}.gin_trgm_ops); ` +
      `ANALYZE ${names.own(indexOf(table))}`,
  );
}

/**
 * Indexes rows of a table after they were written, within the transaction that writes them. Rows that are gone stay in the
 * index. Throws as a connection does.
 * @param base name of the base table, `all_relations`; one that is not searched is left alone
 * @param seqs the `_seq` of new and changed rows, as a query
 */
export async function indexRows(
  postgres: Postgres,
  names: Names,
  given: { base: string; seqs: string },
): Promise<void> {
  for (const table of indexesOf(given.base)) {
    await postgres.execute(`DELETE FROM ${names.own(indexOf(table))} WHERE _seq IN (${given.seqs})`);
    await addRows(postgres, names, { table, wanted: `r._seq IN (${given.seqs})` });
  }
}

/** Makes what finds rows in the index of a table faster, where it is absent and can be made. Within a transaction. */
export async function hastenIndex(postgres: Postgres, names: Names, base: string): Promise<void> {
  for (const table of indexesOf(base)) await makeTrigrams(postgres, names, table);
}

/** Takes rows out of the index, before they are deleted. Throws as a connection does. */
export async function unindexRows(
  postgres: Postgres,
  names: Names,
  given: { readonly base: string; readonly source: number },
): Promise<void> {
  for (const table of indexesOf(given.base)) {
    const rows = `SELECT _seq FROM ${names.own(table.base)} WHERE _source = $1::integer`;
    await postgres.run(`DELETE FROM ${names.own(indexOf(table))} WHERE _seq IN (${rows})`, [given.source]);
  }
}

/** Makes the index of a mirror that has none, and fills it; one of an earlier version may have rows. Within a transaction. */
export async function makeSearch(postgres: Postgres, names: Names): Promise<void> {
  const there = "SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename LIKE '\\_find\\_%'";
  const known = new Set((await postgres.rows(there, [names.schema])).map(([name]) => name));
  for (const table of searchedTables) {
    if (known.has(indexOf(table))) continue;
    await postgres.execute(
      `CREATE TABLE ${names.own(indexOf(table))} (_seq bigint PRIMARY KEY, text text COLLATE "C" NOT NULL)`,
    );
    await addRows(postgres, names, { table, wanted: 'true' });
    if ((await postgres.first(`SELECT 1 FROM ${names.own(indexOf(table))}`)) === undefined) continue;
    await makeTrigrams(postgres, names, table);
  }
}

/** True for a mirror that can be searched: an earlier version made none. */
export const isSearched = async (postgres: Postgres, { own }: Names): Promise<boolean> =>
  (await postgres.first('SELECT pg_catalog.to_regclass($1)', [own(`_find_${searchedTables[0]?.table ?? ''}`)]))?.[0] !==
  null;
