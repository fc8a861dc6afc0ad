import type { Postgres } from '../../postgres/connect.js';
import type { MirrorTable } from '../tables.js';
import { quoted, typeOf, type Names } from './schema.js';

/** A row of the source that is known: in the mirror, or staged by this sync. */
export interface KnownRow {
  readonly seq: number;
  readonly hash: string;
  readonly isGone: boolean;
  readonly isStaged: boolean;
}

/** What is looked for. */
export interface Asked {
  readonly table: MirrorTable;
  readonly source: number;
  readonly ids: readonly string[];
  readonly inStaged: boolean;
  readonly inWhole: boolean;
}

/**
 * The rows that are known of some records, those staged first, by the Id of the record in lower case; those of records without
 * an Id are under the empty text.
 */
export async function knownRows(
  postgres: Postgres,
  names: Names,
  asked: Asked,
): Promise<Map<string, readonly KnownRow[]>> {
  const { table, source, ids, inStaged, inWhole } = asked;
  const { idColumn } = table;
  const id = quoted(idColumn);
  const column = table.columns.find(({ name }) => name === idColumn);
  const type = column === undefined ? 'text' : typeOf(column);
  const found = new Map<string, readonly KnownRow[]>();
  const look = async (isStaged: boolean): Promise<void> => {
    const from = isStaged ? names.staged(table.name) : names.whole(table.name);
    const columns = `_seq, ${id}::text, _hash, ${isStaged ? 'false' : '_gone_at IS NOT NULL'}`;
    const ofSource = isStaged ? 'true OR $2::integer IS NULL' : '_source = $2::integer';
    const asText = 'SELECT value FROM pg_catalog.json_array_elements_text($1::json)';
    const rows = await postgres.rows(
      `SELECT ${columns} FROM ${from} WHERE ${id} = ANY (ARRAY(${asText})::${type}[]) AND (${ofSource}) ` +
        `UNION ALL SELECT ${columns} FROM ${from} WHERE ${id} IS NULL AND (${ofSource})`,
      [JSON.stringify(ids.filter((each) => each !== '')), source],
    );
    for (const [seq, text, hash, gone] of rows) {
      const key = (text ?? '').toLowerCase();
      const row = { seq: Number(seq), hash: hash ?? '', isGone: gone === 't', isStaged };
      found.set(key, [...(found.get(key) ?? []), row]);
    }
  };
  if (inStaged) await look(true);
  if (inWhole) await look(false);
  return found;
}
