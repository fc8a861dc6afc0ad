import type { Cell } from '../../tables/cells.js';
import type { Database } from '../../sqlite/open.js';
import { namedTables, type NamedTable, type RecordKind } from './kinds.js';

/** A name that stands for an Id, with what tells the record from others. */
export interface BegunName {
  readonly name: string;
  readonly about: string;
}

/** Rows of a column that are looked at: many may be gone, or have one name. */
const mostRows = 500;

/** Before each text that can be typed, and behind the empty ones, which may be many. */
const first = '!';

/** No text of the service has this character, which is behind all others. */
const last = '\u{10ffff}';

/** The texts between which are those that begin as typed, the second of them left out. */
const boundsOf = (begun: string): readonly [from: string, to: string] => [
  begun === '' ? first : begun,
  `${begun}${last}`,
];

/** What tells a record of a name from others, of its cells. */
const told = (cells: readonly Cell[], name: string): string =>
  [...new Set(cells.filter((cell) => typeof cell === 'string' && cell !== '' && cell !== name))].join(', ');

/** A column whose texts stand for Ids. */
type Column = NamedTable & { readonly key: string };

/** By the index of names, which has no case of ASCII letters: reading ends after `mostRows` of any mirror. */
function inColumn(database: Database, { table, tells, key }: Column, begun: string): readonly BegunName[] {
  const [column, others] = [`"${key}"`, tells.map((name) => `"${name}"`).join(', ')];
  const sql = `SELECT ${column}, ${others} FROM (SELECT * FROM "all_${table}"
    WHERE ${column} COLLATE NOCASE >= ?1 AND ${column} COLLATE NOCASE < ?2 ORDER BY ${column} COLLATE NOCASE LIMIT ${mostRows})
    WHERE "_gone_at" IS NULL AND "Id" IS NOT NULL`;
  const rows = database.statement(sql).all(...boundsOf(begun));
  return rows.map(([name, ...cells]) => ({ name: String(name), about: told(cells, String(name)) }));
}

/** Each name once: the first record that has it says what it is. */
function firstOfEach(found: readonly BegunName[], most: number): readonly BegunName[] {
  const names = new Map(found.toReversed().map((each) => [each.name, each]));
  return found.filter((each) => names.get(each.name) === each).slice(0, most);
}

/**
 * The names of records of a kind that begin with a text, in any case of ASCII letters, each once. Throws `local`.
 * @param most how many of them at most
 */
export function namesBegun(
  database: Database,
  kind: RecordKind,
  { text, most }: { readonly text: string; readonly most: number },
): readonly BegunName[] {
  const known = database.statement("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  const there = namedTables[kind].filter(({ table }) => known.first(`all_${table}`) !== undefined);
  const columns = there.flatMap((table) => table.keys.map((key): Column => ({ ...table, key })));
  return firstOfEach(
    columns.flatMap((column) => inColumn(database, column, text.normalize('NFC'))),
    most,
  );
}
