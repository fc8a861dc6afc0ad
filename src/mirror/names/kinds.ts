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
