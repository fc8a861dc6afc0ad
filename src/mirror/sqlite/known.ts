import type { Database, Row } from '../../sqlite/open.js';
import { idKeyOf, isWithoutId, type MirrorTable } from '../tables.js';
import type { KnownRow, KnownRows, RecordKey } from '../row-choice.js';
import { staged, whole, withoutIdIndex } from './schema/tables.js';

/** What is looked for. */
export interface Asked {
  readonly table: MirrorTable;
  readonly source: number;
  readonly records: readonly RecordKey[];
}

const columnsOf = (idColumn: string): string => `t."_seq", t."${idColumn}", t."_hash", t."_gone_at"`;

const inRows = ({ name }: MirrorTable, isStaged: boolean): string => (isStaged ? staged(name) : whole(name));

/** The rows of Ids. */
function rowsById(database: Database, { table, source, records }: Asked, isStaged: boolean): readonly Row[] {
  const { idColumn } = table;
  const name = inRows(table, isStaged);
  // Only a reading that looks at staged rows needs their index: the first of a sync does not.
  if (isStaged) database.execute(`CREATE INDEX IF NOT EXISTS "${name}_by_id" ON "${name}" ("${idColumn}")`);
  const sql = `SELECT ${columnsOf(idColumn)} FROM json_each(?) j CROSS JOIN "${name}" t ON t."${idColumn}" = j.value WHERE t."_source" = ?`;
  const ids = records.flatMap(({ id }) => (id === undefined ? [] : [id, id.toLowerCase(), id.toUpperCase()]));
  return database.statement(sql).all(JSON.stringify([...new Set(ids)]), source);
}

/** The rows without an Id that have the content of one of the records: any other is not looked at. */
function rowsByContent(database: Database, { table, source, records }: Asked, isStaged: boolean): readonly Row[] {
  const hashes = new Set(records.flatMap(({ id, hash }) => (id === undefined ? [hash] : [])));
  if (hashes.size === 0) return [];
  const { idColumn } = table;
  const name = inRows(table, isStaged);
  // Few lists have such records: the others do without the index.
  database.execute(withoutIdIndex(table, isStaged ? staged : whole));
  const sql = `SELECT ${columnsOf(idColumn)} FROM json_each(?) j CROSS JOIN "${name}" t ON t."_hash" = j.value WHERE ${isWithoutId(table, 't.')} AND t."_source" = ?`;
  return database.statement(sql).all(JSON.stringify([...hashes]), source);
}

/**
 * The rows that are known of some records, by the key of their Id: those staged come first. Under the empty text are those
 * without an Id that have the content of one of the records.
 */
export function knownRows(
  database: Database,
  asked: Asked,
  { inStaged, inWhole }: { readonly inStaged: boolean; readonly inWhole: boolean },
): KnownRows {
  const found = new Map<string, KnownRow[]>();
  const keyOf = idKeyOf(asked.table);
  const look = (isStaged: boolean): void => {
    const rows = [...rowsById(database, asked, isStaged), ...rowsByContent(database, asked, isStaged)];
    for (const [seq, id, hash, goneAt] of rows) {
      const row = { seq: Number(seq), hash: String(hash), isGone: goneAt !== null, isStaged };
      const key = keyOf(String(id ?? ''));
      const others = found.get(key);
      if (others === undefined) found.set(key, [row]);
      else others.push(row);
    }
  };
  if (inStaged) look(true);
  if (inWhole) look(false);
  return found;
}
