import { namedTables } from './kinds.js';

/** Texts that hold more than ASCII, in SQL: SQLite knows the case of letters, and their forms, of ASCII alone. */
export const beyondAscii = (column: string): string => `"${column}" GLOB '*[^ -~]*'`;

/**
 * Statements that make the indexes which names are looked up by: for each column one in any case of ASCII letters, and a
 * small one of the texts with other letters.
 * @param table name of a table without `all_`; the statements are none where no name of it stands for an Id
 */
export function nameIndexes(table: string): readonly string[] {
  const keys = Object.values(namedTables)
    .flat()
    .flatMap((each) => (each.table === table ? each.keys : []));
  return keys.flatMap((key) => [
    `CREATE INDEX IF NOT EXISTS "names_${table}_${key}" ON "all_${table}" ("${key}" COLLATE NOCASE)`,
    `CREATE INDEX IF NOT EXISTS "names_${table}_${key}_beyond" ON "all_${table}" ("${key}") WHERE ${beyondAscii(key)}`,
  ]);
}
