import type { Database } from '../../sqlite/open.js';
import { tablesOf, type RecordKind } from './kinds.js';

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
