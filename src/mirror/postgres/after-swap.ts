import type { Postgres } from '../../postgres/connect.js';
import { hastenIndex, indexRows } from '../search/postgres/index-rows.js';
import type { MirrorTable } from '../tables.js';
import { indexesOf, type Names } from './schema.js';

/** Rows that a sync put into a table. */
export interface Swapped {
  readonly table: MirrorTable;
  /** A question for the `_seq` of each row that is new, changed or there again. */
  readonly seqs: string;
}

/** Makes the indexes that are not there. Looked for first: to make one, even one that is there, waits for readers. */
export async function makeIndexes(postgres: Postgres, names: Names, table: MirrorTable): Promise<void> {
  const there = new Set(
    (await postgres.rows('SELECT indexname FROM pg_catalog.pg_indexes WHERE schemaname = $1', [names.schema])).map(
      ([name]) => name,
    ),
  );
  const absent = indexesOf(names, table).filter(({ name }) => !there.has(name));
  for (const { sql } of absent) await postgres.execute(sql);
  if (absent.length > 0) await postgres.execute(`ANALYZE ${names.whole(table.name)}`);
}

/**
 * Makes what readers find rows by, in the transaction of the swap and behind its rows; rows that are only gone need nothing.
 * Throws as a connection does.
 */
export async function afterSwap(postgres: Postgres, names: Names, { table, seqs }: Swapped): Promise<void> {
  await makeIndexes(postgres, names, table);
  await indexRows(postgres, names, { base: `all_${table.name}`, seqs });
  await hastenIndex(postgres, names, `all_${table.name}`);
}
