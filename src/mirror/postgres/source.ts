import { defined } from '../../plain/defined.js';
import type { RecordValue } from '../../plain/value.js';
import type { Postgres, TextRow } from '../../postgres/connect.js';
import type { Place } from '../pass-state.js';
import type { Difference, SourceState, Unfinished } from '../store.js';
import type { Names } from './schema.js';
import { jsonIn, tableIn } from '../damaged.js';
import { keptPrefix, tablesKept } from '../of-call/kept.js';
import type { CallTable } from '../of-call/table.js';

/** A source as the database numbers it. */
export interface NumberedSource extends SourceState {
  readonly id: number;
}

/** A time as the mirror tells it: UTC, milliseconds. */
export const timeText = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function unfinishedOf(startedAt: string | undefined, state: string | undefined): Unfinished | undefined {
  if (startedAt === undefined) return undefined;
  const place = state === undefined ? undefined : (jsonIn(state) as Place);
  return { startedAt, pages: place?.pages ?? 0, rows: place?.rows ?? 0 };
}

function lastOf([rows, added, changed, gone]: TextRow): Difference {
  return { rows: Number(rows), added: Number(added), changed: Number(changed), gone: Number(gone) };
}

function sourceOf(row: TextRow, own: ReadonlyMap<string, CallTable>): NumberedSource {
  const [id, name, table, input] = row;
  const [from, at, began, state] = row.slice(4, 8).map((cell) => cell ?? undefined);
  return {
    id: Number(id),
    name: name ?? '',
    table: tableIn(table ?? '', own),
    ...defined({ own: own.get(table ?? '') }),
    input: jsonIn(input ?? '{}') as RecordValue,
    syncedFrom: from,
    syncedAt: at,
    last: at === undefined ? undefined : lastOf(row.slice(8)),
    unfinished: unfinishedOf(began, state),
  };
}

/** The tables that a mirror has for lists of operations, by their names. Throws `local` for what no relctl wrote. */
async function callTablesIn(postgres: Postgres, { own }: Names): Promise<ReadonlyMap<string, CallTable>> {
  const sql = `SELECT name, value FROM ${own('_mirror')} WHERE name LIKE $1`;
  return tablesKept(await postgres.rows(sql, [`${keptPrefix}%`]));
}

/** The sources of a mirror, in their order. Throws as a connection does, and `local`. */
export async function sourcesIn(postgres: Postgres, names: Names): Promise<readonly NumberedSource[]> {
  const { own } = names;
  const rows = await postgres.rows(
    `SELECT s.id, s.name, s."table", s.input, ${timeText('s.synced_from')}, ${timeText('s.synced_at')}, ` +
      `${timeText('p.began_at')}, p.state, s.rows, s.added, s.changed, s.gone FROM ${own('_sources')} s ` +
      `LEFT JOIN ${own('_passes')} p ON p.source = s.id ORDER BY s.id`,
  );
  const tables = await callTablesIn(postgres, names);
  return rows.map((row) => sourceOf(row, tables));
}
