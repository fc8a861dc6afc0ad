import { isGuid } from '../../core/text/scalars/guid.js';
import type { Database } from '../../state/sqlite/open.js';

/** Where the names of records of a kind stand in the mirror. */
export interface NamedTable {
  readonly table: string;
  /** Columns any of which stands for the Id where it is typed. */
  readonly keys: readonly string[];
  /** Columns that tell records of one name apart, for people. */
  readonly tells: readonly string[];
}

/** Kinds of records whose names stand for their Ids, once they are mirrored. */
const recordKinds = ['relation', 'relationship', 'activity'] as const;

/** One of those kinds. */
export type RecordKind = (typeof recordKinds)[number];

/** Kinds whose records are mirrored once `mirror add` says which of them. */
export const addedKinds: ReadonlySet<RecordKind> = new Set(['activity']);

/** True for one of them. */
export const isRecordKind = (kind: string): kind is RecordKind => recordKinds.some((each) => each === kind);

const activityTable = (table: string): NamedTable => ({
  table,
  keys: ['Number'],
  tells: ['Number', 'Info', 'ViewSortingDate'],
});

/** The tables of each kind, in which its records are looked for. */
export const namedTables: Readonly<Record<RecordKind, readonly NamedTable[]>> = {
  relation: [
    { table: 'relations', keys: ['DisplayName', 'ImportKey'], tells: ['DisplayName', 'ImportKey', 'SortingName'] },
  ],
  relationship: [
    { table: 'relationships', keys: ['DisplayName'], tells: ['DisplayName', 'Description', 'DisplayCity'] },
  ],
  activity: [activityTable('activities'), activityTable('relation_activities')],
};

/** Tables that are looked into for a kind, in words: `relations`. */
export const tablesOf = (kind: RecordKind): readonly string[] => namedTables[kind].map(({ table }) => table);

/**
 * Statements that make the indexes which names are looked up by, in any case of ASCII letters.
 * @param table name of a table without `all_`; the statements are none where no name of it stands for an Id
 */
export const nameIndexes = (table: string): readonly string[] =>
  Object.values(namedTables)
    .flat()
    .flatMap((each) => (each.table === table ? each.keys : []))
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
  const columns = namedTables[kind]
    .filter(({ table }) => known.first(`all_${table}`) !== undefined)
    .flatMap(({ table, keys, tells }) => keys.map((key) => ({ table, key, tells })));
  for (const { table, key, tells } of columns) {
    const shown = ['Id', key, ...tells].map((name) => `"${name}"`).join(', ');
    const sql = `SELECT ${shown} FROM "all_${table}" WHERE ${where(`"${key}"`)} AND "_gone_at" IS NULL
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
  const begun = text.normalize('NFC');
  // `!` is before each text that can be typed, and behind the empty ones; no text of the service has the last character.
  const values = [begun === '' ? '!' : begun, `${begun}\u{10ffff}`];
  const where = (column: string): string => `${column} COLLATE NOCASE >= ?1 AND ${column} COLLATE NOCASE < ?2`;
  return uniqueBy(recordsWhere(database, kind, { where, values }), ({ name }) => name).slice(0, most);
}
