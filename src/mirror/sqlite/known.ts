import type { Database } from '../../sqlite/open.js';
import type { Cell } from '../../tables/cells.js';
import type { MirrorTable } from '../tables.js';
import type { KnownRow, KnownRows } from '../row-choice.js';
import { staged, whole } from './schema.js';

/** What is looked for. */
export interface Asked {
  readonly table: MirrorTable;
  readonly source: number;
  readonly ids: readonly string[];
}

function rowsIn(database: Database, { table, source, ids }: Asked, isStaged: boolean): readonly (readonly Cell[])[] {
  const name = isStaged ? staged(table.name) : whole(table.name);
  const { idColumn } = table;
  // Only a reading that looks at staged rows needs their index: the first of a sync does not.
  if (isStaged) database.execute(`CREATE INDEX IF NOT EXISTS "${name}_by_id" ON "${name}" ("${idColumn}")`);
  const columns = `t."_seq", t."${idColumn}", t."_hash", t."_gone_at"`;
  const byId = `SELECT ${columns} FROM json_each(?) j CROSS JOIN "${name}" t ON t."${idColumn}" = j.value WHERE t."_source" = ?`;
  const without = `SELECT ${columns} FROM "${name}" t WHERE t."${idColumn}" IS NULL AND t."_source" = ?`;
  const inCases = JSON.stringify([...new Set(ids.flatMap((id) => [id, id.toLowerCase(), id.toUpperCase()]))]);
  return [...database.statement(byId).all(inCases, source), ...database.statement(without).all(source)];
}

/** The rows that are known of some records, by their Id in lower case: those staged come first. */
export function knownRows(
  database: Database,
  asked: Asked,
  { inStaged, inWhole }: { readonly inStaged: boolean; readonly inWhole: boolean },
): KnownRows {
  const found = new Map<string, KnownRow[]>();
  const look = (isStaged: boolean): void => {
    for (const [seq, id, hash, goneAt] of rowsIn(database, asked, isStaged)) {
      const row = { seq: Number(seq), hash: String(hash), isGone: goneAt !== null, isStaged };
      const key = String(id ?? '').toLowerCase();
      const others = found.get(key);
      if (others === undefined) found.set(key, [row]);
      else others.push(row);
    }
  };
  if (inStaged) look(true);
  if (inWhole) look(false);
  return found;
}
