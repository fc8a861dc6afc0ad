import { type RecordKind, serviceLists, type ServiceList } from '../contract/lists.js';
import { isGuid } from '../core/text/scalars.js';
import type { Database, Statement } from '../state/sqlite/open.js';

type NamedTable = NonNullable<ServiceList['names']> & { readonly table: string };

/** The tables of a kind in which its records are looked for, with the columns of their names. */
export const namedTables = (kind: RecordKind): readonly NamedTable[] =>
  serviceLists.flatMap(([table, { names }]) => (names?.kind === kind ? [{ table, ...names }] : []));

/** Names of those tables. */
export const tablesOf = (kind: RecordKind): readonly string[] => namedTables(kind).map(({ table }) => table);

/** True for a kind whose records are mirrored once `mirror add` says which of them. */
export const isAdded = (kind: RecordKind): boolean =>
  serviceLists.every(([, { names, usual }]) => names?.kind !== kind || usual !== true);

/**
 * Statements that make the indexes which names are looked up by, in any case of ASCII letters.
 * @param table name of a table without `all_`; the statements are none where no name of it stands for an Id
 */
export const nameIndexes = (table: string): readonly string[] =>
  serviceLists
    .flatMap(([name, { names }]) => (name === table ? (names?.keys ?? []) : []))
    .map((key) => `CREATE INDEX IF NOT EXISTS "names_${table}_${key}" ON "all_${table}" ("${key}" COLLATE NOCASE)`);

/**
 * Makes a function that is true for the Ids of records of a kind that a mirror has, still there. Undefined where it cannot be
 * told: nothing fills the tables of the kind, or something that does was never read to its end. Throws `local`.
 */
export function knownIds(database: Database, kind: RecordKind): ((id: string) => boolean) | undefined {
  const tables = tablesOf(kind);
  const [count, unread] =
    database
      .statement(
        'SELECT count(*), count(*) FILTER (WHERE synced_at IS NULL) FROM "_sources" WHERE "table" IN (SELECT value FROM json_each(?))',
      )
      .first(JSON.stringify(tables)) ?? [];
  if (Number(count) === 0 || Number(unread) > 0) return undefined;
  const statements = tables.map((table) =>
    database.statement(`SELECT 1 FROM "all_${table}" WHERE "Id" IN (?1, ?2) AND "_gone_at" IS NULL LIMIT 1`),
  );
  return (id) => statements.some((statement) => statement.first(id.toLowerCase(), id.toUpperCase()) !== undefined);
}

interface NameHit {
  readonly id: string;
  readonly name: string;
  /** What tells it from others of the name, in words. */
  readonly about: string;
}

const mostRows = 500;

function* recordsWhere(
  database: Database,
  kind: RecordKind,
  { where, values }: { readonly where: (column: string) => string; readonly values: readonly string[] },
): Generator<NameHit> {
  const known = database.statement("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  const columns = namedTables(kind)
    .filter(({ table }) => known.first(`all_${table}`) !== undefined)
    .flatMap(({ table, keys, tells }) => keys.map((key) => ({ table, key, tells })));
  for (const { table, key, tells } of columns) {
    const named = ['Id', key, ...tells].map((name) => `"${name}"`).join(', ');
    const sql = `SELECT ${named} FROM "all_${table}" WHERE ${where(`"${key}"`)} AND "_gone_at" IS NULL
      ORDER BY "${key}" COLLATE NOCASE LIMIT ${mostRows}`;
    for (const [id, name, ...cells] of database.statement(sql).all(...values)) {
      // An Id stands in lines that are pasted, and may be a flag where somebody else changed the file.
      if (typeof id !== 'string' || !isGuid(id) || typeof name !== 'string') continue;
      const others = cells.filter((cell) => typeof cell === 'string' && cell !== '');
      yield { id, name, about: [...new Set(others)].join(', ') };
    }
  }
}

/** Each once: a record may be in two tables, and may have its name for an import key. */
const uniqueBy = (hits: Iterable<NameHit>, keyOf: (hit: NameHit) => string): readonly NameHit[] =>
  [...new Map([...hits].toReversed().map((hit) => [keyOf(hit), hit])).values()].toReversed();

/**
 * The records of a kind, still there, that a text names to the letter, by any of their keys; where there are none, those that
 * differ in the case of ASCII letters alone. A character may be written as one or as several (é). Each once. Throws `local`.
 */
export function findNamed(
  database: Database,
  kind: RecordKind,
  text: string,
): { readonly hits: readonly NameHit[]; readonly isExact: boolean } {
  const values = [text, text.normalize('NFC'), text.normalize('NFD')];
  // The index has no case of letters, so that a comparison with case alone would read the whole table.
  const inAnyCase = (column: string): string => `${column} COLLATE NOCASE IN (?1, ?2, ?3)`;
  const exactly = (column: string): string => `${inAnyCase(column)} AND ${column} IN (?1, ?2, ?3)`;
  const find = (where: (column: string) => string): readonly NameHit[] =>
    uniqueBy(recordsWhere(database, kind, { where, values }), ({ id }) => id.toLowerCase());
  const hits = find(exactly);
  return hits.length > 0 ? { hits, isExact: true } : { hits: find(inAnyCase), isExact: false };
}

/**
 * The first names of records of a kind that begin with a text, in any case of ASCII letters, each once. Throws `local`.
 * @param most how many of them at most
 */
export function namesStartingWith(
  database: Database,
  kind: RecordKind,
  { text, most }: { readonly text: string; readonly most: number },
): readonly NameHit[] {
  const start = text.normalize('NFC');
  // `!` is before each text that can be typed, and behind the empty ones; no text of the service has the last character.
  const values = [start === '' ? '!' : start, `${start}\u{10ffff}`];
  const where = (column: string): string => `${column} COLLATE NOCASE >= ?1 AND ${column} COLLATE NOCASE < ?2`;
  return uniqueBy(recordsWhere(database, kind, { where, values }), ({ name }) => name).slice(0, most);
}

const referred = serviceLists.flatMap(([table, list]) =>
  list.named === undefined
    ? []
    : [{ table, columns: list.named.columns, members: new RegExp(list.named.members, 'i') }],
);

const tablesFor = (member: string): typeof referred => referred.filter(({ members }) => members.test(member));

/** True for a member that may hold the Id of a record that a mirror has. */
export const refersToMirrored = (member: string): boolean => tablesFor(member).length > 0;

/** The tables of a mirror that may have the record whose Id a member holds. */
export const tablesOfMember = (member: string): readonly string[] => tablesFor(member).map(({ table }) => table);

/** Names that are remembered; then they are looked up again. */
const mostCached = 20_000;

/** Gives the statements that find the name of the record whose Id a member holds, of the tables that a mirror has. */
function statementsIn(database: Database): (member: string) => readonly Statement[] {
  const there = database.statement("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  return (member) =>
    tablesFor(member)
      .filter(({ table }) => there.first(`all_${table}`) !== undefined)
      .map(({ table, columns }) => {
        const name = `coalesce(${columns.map((each) => `nullif("${each}", '')`).join(', ')}, NULL)`;
        return database.statement(
          `SELECT ${name} FROM "all_${table}" WHERE "Id" IN (?1, ?2) AND ${name} IS NOT NULL ORDER BY "_gone_at" IS NOT NULL, "_seq" LIMIT 1`,
        );
      });
}

/**
 * Looks up in a mirror what the record is called whose Id a member holds, also one that is gone; undefined for one without a name.
 * What it makes throws `local`.
 */
export function openNameColumns(database: Database): (id: string, member: string) => string | undefined {
  const statementsOf = statementsIn(database);
  const statements = new Map<string, readonly Statement[]>();
  const names = new Map<string, string | undefined>();
  const lookUp = (id: string, member: string): string | undefined => {
    const known = statements.get(member) ?? statementsOf(member);
    statements.set(member, known);
    for (const statement of known) {
      const [name] = statement.first(id.toLowerCase(), id.toUpperCase()) ?? [];
      if (typeof name === 'string') return name;
    }
    return undefined;
  };
  return (id, member) => {
    const key = `${member}\n${id}`;
    if (names.has(key)) return names.get(key);
    if (names.size >= mostCached) names.clear();
    const name = lookUp(id, member);
    names.set(key, name);
    return name;
  };
}
