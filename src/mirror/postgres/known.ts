import type { Postgres } from '../../postgres/connect.js';
import type { KnownRow, KnownRows } from '../row-choice.js';
import { idKeyOf, isWithoutId, type MirrorTable } from '../tables.js';
import { idInRecord, idType, quoted, type Names } from './schema.js';
import { indexStaged } from './staging.js';

/** What is looked for. */
export interface Asked {
  readonly table: MirrorTable;
  readonly source: number;
  readonly ids: readonly string[];
  readonly inStaged: boolean;
  readonly inWhole: boolean;
}

/** The rows that are known of some records, by the key of their Id: those staged come first. */
export async function knownRows(postgres: Postgres, names: Names, asked: Asked): Promise<KnownRows> {
  const { table, source, ids, inStaged, inWhole } = asked;
  const id = quoted(table.idColumn);
  const keyOf = idKeyOf(table);
  const type = idType(table);
  // Numbers have several forms; what the record has is what tells it.
  const text = type === 'uuid' ? `${id}::text` : idInRecord(table);
  const none = isWithoutId(table);
  const found = new Map<string, KnownRow[]>();
  const look = async (isStaged: boolean): Promise<void> => {
    const from = isStaged ? names.staged(table.name) : names.whole(table.name);
    const columns = `_seq, CASE WHEN ${none} THEN NULL ELSE ${text} END, _hash, ${isStaged ? 'false' : '_gone_at IS NOT NULL'}`;
    const ofSource = isStaged ? '$2::integer IS NOT NULL' : '_source = $2::integer';
    const asText = 'SELECT value FROM pg_catalog.json_array_elements_text($1::json)';
    const rows = await postgres.rows(
      `SELECT ${columns} FROM ${from} WHERE ${id} = ANY (ARRAY(${asText})::${type}[]) AND ${ofSource} ` +
        `UNION ALL SELECT ${columns} FROM ${from} WHERE ${none} AND ${ofSource} ORDER BY _seq`,
      [JSON.stringify(ids.filter((each) => each !== '')), source],
    );
    for (const [seq, known, hash, gone] of rows) {
      const row = { seq: Number(seq), hash: hash ?? '', isGone: gone === 't', isStaged };
      const key = keyOf(known ?? '');
      const others = found.get(key);
      if (others === undefined) found.set(key, [row]);
      else others.push(row);
    }
  };
  if (inStaged) {
    await indexStaged(postgres, names, table);
    await look(true);
  }
  if (inWhole) await look(false);
  return found;
}
