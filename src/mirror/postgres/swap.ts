import type { Postgres } from '../../postgres/connect.js';
import type { Ranges, SeqSet } from '../seqs.js';
import type { Difference } from '../store.js';
import type { MirrorTable } from '../tables.js';
import { afterSwap } from './after-swap.js';
import { itemColumns, listed, stagedColumns, type Names } from './schema.js';
import type { NumberedSource } from './source.js';
import { emptyStaged, unstageRows } from './staging.js';

/** What a sync makes visible. */
export interface Swap {
  readonly names: Names;
  readonly table: MirrorTable;
  readonly source: NumberedSource;
  /** The rows that the list showed. */
  readonly seen: SeqSet;
  /** Rows that were there and that it did not show. */
  readonly missing: number;
  /** Rows that are staged, and were not there any more when it was read last. */
  readonly passing: Ranges;
  /** Number of the last page of the list, and which reading of it was the last. */
  readonly lastPage: number;
  readonly reading: number;
  readonly startedAt: string;
  readonly endedAt: string;
}

/** Numbers that are sent with one statement. */
const seqsAtOnce = 10_000;

/** Puts staged rows: those that are new, and those whose content differs. One that was gone is seen for the first time again. */
export async function putRows(
  postgres: Postgres,
  { names, table, source, startedAt }: Pick<Swap, 'names' | 'table' | 'source' | 'startedAt'>,
): Promise<void> {
  const columns = stagedColumns(table);
  const into = names.whole(table.name);
  const set = columns.filter((name) => name !== '_seq').map((name) => `${listed([name])} = excluded.${listed([name])}`);
  await postgres.run(
    `INSERT INTO ${into} AS a (${listed(columns)}, _source, _first_seen, _changed_at) ` +
      `SELECT ${listed(columns)}, $1::integer, $2::timestamptz, $2::timestamptz FROM ${names.staged(table.name)} ` +
      `ON CONFLICT (_seq) DO UPDATE SET ${set.join(', ')}, _source = excluded._source, _changed_at = excluded._changed_at, ` +
      '_first_seen = CASE WHEN a._gone_at IS NULL THEN a._first_seen ELSE excluded._first_seen END, _gone_at = NULL',
    [source.id, startedAt],
  );
}

/** Puts the items of rows that were staged, in place of those before. */
export async function putItems(postgres: Postgres, { names, table }: Pick<Swap, 'names' | 'table'>): Promise<void> {
  for (const list of table.lists) {
    const owners = `SELECT _seq FROM ${names.staged(table.name)}`;
    await postgres.run(`DELETE FROM ${names.whole(list.name)} WHERE _owner IN (${owners})`);
    const columns = listed(itemColumns(list));
    await postgres.run(
      `INSERT INTO ${names.whole(list.name)} (${columns}) SELECT ${columns} FROM ${names.staged(list.name)}`,
    );
  }
}

/** Marks the rows that were not shown. */
async function markGone(postgres: Postgres, { names, table, source, seen, startedAt }: Swap): Promise<void> {
  const into = names.whole(table.name);
  const gone: number[] = [];
  for await (const [seq] of postgres.each(`SELECT _seq FROM ${into} WHERE _source = $1::integer AND _gone_at IS NULL`, [
    source.id,
  ])) {
    if (!seen.has(Number(seq))) gone.push(Number(seq));
  }
  for (let at = 0; at < gone.length; at += seqsAtOnce) {
    await postgres.run(`UPDATE ${into} SET _gone_at = $1::timestamptz WHERE _seq = ANY ($2::bigint[])`, [
      startedAt,
      `{${gone.slice(at, at + seqsAtOnce).join(',')}}`,
    ]);
  }
}

async function keepPages(
  postgres: Postgres,
  { names: { own }, source: { id }, reading, lastPage }: Swap,
): Promise<void> {
  const old = reading > 1 ? '' : ` AND number > ${lastPage}`;
  await postgres.run(`DELETE FROM ${own('_pages')} WHERE source = $1${old}`, [id]);
  await postgres.run(
    `INSERT INTO ${own('_pages')} (source, number, signature, seqs) SELECT source, number, signature, seqs ` +
      `FROM ${own('_pass_pages')} WHERE source = $1 AND reading = $2 ` +
      'ON CONFLICT (source, number) DO UPDATE SET signature = excluded.signature, seqs = excluded.seqs',
    [id, reading],
  );
  await postgres.run(`DELETE FROM ${own('_pass_pages')} WHERE source = $1`, [id]);
  await postgres.run(`DELETE FROM ${own('_passes')} WHERE source = $1`, [id]);
}

async function keepResult(postgres: Postgres, swap: Swap, difference: Difference): Promise<void> {
  const { own } = swap.names;
  const { rows, added, changed, gone } = difference;
  const { source, startedAt, endedAt } = swap;
  await postgres.run(
    `UPDATE ${own('_sources')} SET synced_from = $1, synced_at = $2, rows = $3, added = $4, changed = $5, gone = $6 WHERE id = $7`,
    [startedAt, endedAt, rows, added, changed, gone, source.id],
  );
  if (added + changed + gone === 0) return;
  await postgres.run(`INSERT INTO ${own('_syncs')} (source, began_at, ended_at) VALUES ($1, $2, $3)`, [
    source.id,
    startedAt,
    endedAt,
  ]);
}

async function apply(postgres: Postgres, swap: Swap): Promise<Difference> {
  const { names, table, seen, missing, passing } = swap;
  await unstageRows(postgres, names, { table, seqs: passing });
  const [counts = []] = await postgres.rows(
    `SELECT count(*), count(a._seq) FROM ${names.staged(table.name)} s ` +
      `LEFT JOIN ${names.whole(table.name)} a ON a._seq = s._seq AND a._gone_at IS NULL`,
  );
  const [staged, changed] = counts.map(Number);
  const difference = { rows: seen.size, added: (staged ?? 0) - (changed ?? 0), changed: changed ?? 0, gone: missing };
  if (staged !== 0) {
    await putRows(postgres, swap);
    await putItems(postgres, swap);
    await afterSwap(postgres, names, { table, seqs: `SELECT _seq FROM ${names.staged(table.name)}` });
    await emptyStaged(postgres, names, table);
  }
  if (missing > 0) await markGone(postgres, swap);
  await keepPages(postgres, swap);
  await keepResult(postgres, swap, difference);
  return difference;
}

/** Makes visible what a sync read, in one transaction: all of it or nothing. Throws as a connection does. */
export const swapIn = (postgres: Postgres, swap: Swap): Promise<Difference> =>
  postgres.transaction(() => apply(postgres, swap));
