import type { MirrorFolder } from './files.js';
import { listed, type Listed } from './service.js';

/** A record that a mirror shows. */
export interface ShownRecord {
  readonly id: string;
  readonly json: string;
}

/** What a mirror shows. */
export interface Shown {
  readonly lists: Readonly<Record<Listed, readonly ShownRecord[]>>;
  readonly marked: readonly (ShownRecord & { readonly of: string })[];
  /** When each source was synced last. */
  readonly syncedAt: ReadonlyMap<string, string>;
  /** What is not as it must be in the file itself. */
  readonly damage: readonly string[];
}

/** What there is where there is no mirror. */
export const nothingShown: Shown = {
  lists: { relations: [], telephone_book: [], marks: [] },
  ...{ marked: [], syncedAt: new Map(), damage: [] },
};

interface Asked {
  prepare(sql: string): { raw(): { all(values: readonly unknown[]): (readonly unknown[])[] } };
}

const idColumn: Readonly<Record<Listed, string>> = { relations: 'Id', telephone_book: 'relation_Id', marks: 'Id' };

/** Lists within records: the table, that of the records, and what stands before each item in the text of a record. */
const within = [
  ['relation_field_values', 'relations', '{"Id":"00000000-0002-'],
  ['telephone_numbers', 'telephone_book', '{"Id":"00000000-0003-'],
] as const;

/** What is searched, and is to be found by each record of its table once. */
const searched = ['relations', 'telephone_book', 'marks'] as const;

function damageIn(ask: (sql: string) => (readonly unknown[])[]): readonly string[] {
  const integrity = ask('PRAGMA integrity_check').map(String);
  const damage = integrity.length === 1 && integrity[0] === 'ok' ? [] : [`integrity: ${integrity.join('; ')}`];
  for (const [list, table, begin] of within) {
    const rows = ask(
      `SELECT r."_record", count(i."_owner") FROM "all_${table}" r LEFT JOIN "all_${list}" i ON i."_owner" = r."_seq" GROUP BY r."_seq", r."_record"`,
    );
    for (const [json, count] of rows)
      if (String(json).split(begin).length !== Number(count) + 1)
        damage.push(`${table}: ${String(json)} has ${String(count)} rows in ${list}`);
    const strays = ask(`SELECT count(*) FROM "all_${list}" WHERE "_owner" NOT IN (SELECT "_seq" FROM "all_${table}")`);
    if (Number(strays[0]?.[0]) > 0) damage.push(`${list}: ${String(strays[0]?.[0])} rows belong to no record`);
  }
  const indexes = new Set(ask(`SELECT name FROM sqlite_schema WHERE name LIKE '\\_find\\_%' ESCAPE '\\'`).map(String));
  for (const table of searched) {
    if (!indexes.has(`_find_${table}`)) continue;
    const [missing] = ask(
      `SELECT (SELECT count(*) FROM "all_${table}" WHERE "_seq" NOT IN (SELECT rowid FROM "_find_${table}")),
        (SELECT count(*) FROM "_find_${table}" WHERE rowid NOT IN (SELECT "_seq" FROM "all_${table}"))`,
    );
    if (String(missing) !== '0,0') damage.push(`${table}: rows and index differ: ${String(missing)}`);
  }
  return damage;
}

/** What the mirror in a folder shows. */
export function shownIn(folder: MirrorFolder): Shown {
  const found = folder.look((database): Shown => {
    const asked = database as unknown as Asked;
    const ask = (sql: string): (readonly unknown[])[] => asked.prepare(sql).raw().all([]);
    if (ask(`SELECT 1 FROM sqlite_schema WHERE name = '_sources'`).length === 0) return nothingShown;
    const recordsOf = (table: Listed): readonly ShownRecord[] =>
      ask(`SELECT coalesce("${idColumn[table]}", ''), "_record" FROM "${table}"`).map(([id, json]) => ({
        ...{ id: String(id), json: String(json) },
      }));
    const [relations = [], book = [], marks = []] = listed.map(recordsOf);
    const marked = ask('SELECT "RelationId", "Id", "_record" FROM "relation_marks"');
    const synced = ask('SELECT name, synced_at FROM "_sources" WHERE synced_at IS NOT NULL');
    return {
      lists: { relations, telephone_book: book, marks },
      marked: marked.map(([of, id, json]) => ({ of: String(of), id: String(id), json: String(json) })),
      syncedAt: new Map(synced.map(([name, at]) => [String(name), String(at)])),
      damage: damageIn(ask),
    };
  });
  return found ?? nothingShown;
}
