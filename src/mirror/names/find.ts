import { isGuid } from '../../core/text/scalars/guid.js';
import type { Database } from '../../state/sqlite/open.js';
import { namedTables, type RecordKind } from './kinds.js';

/** A record that has a name. */
export interface NameHit {
  readonly id: string;
  readonly name: string;
  /** What tells it from others of the name, in words. */
  readonly about: string;
}

/** Rows of a column that are looked at. */
const mostRows = 500;

/** The records of a kind, still there, of which a column that holds names fulfils a condition. Throws `local`. */
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
export function namesBegun(
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
