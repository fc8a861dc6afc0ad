import type { RecordValue } from '../../../plain/value.js';
import type { Postgres, Sent } from '../../../postgres/connect.js';
import { changeOf, nameColumn, type ChangedRow, type Wanted, type WantedChanges } from '../../changes.js';
import { cellsOf, type MirrorTable } from '../../tables.js';
import { shownOnce, type Names } from '../schema.js';
import { timeText } from '../source.js';
import { jsonIn } from '../../damaged.js';

/** Rows of questions that are asked of the mirror as it is at one moment. A reader that has enough ends them. */
async function* atOneMoment<T>(postgres: Postgres, rows: AsyncIterable<T>): AsyncGenerator<T, void> {
  await postgres.execute('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    yield* rows;
  } finally {
    // Of a connection that broke off nothing is left to end, and the first failure says more.
    await postgres.execute('ROLLBACK').catch(() => undefined);
  }
}

/** Joins the sync `name` with which a time of a row came, where it ended at `$n` or later: rows carry the time when it began. */
const syncOf = ({ own }: Names, name: string, { column, since }: { column: string; since: string }): string =>
  `LEFT JOIN ${own('_syncs')} ${name} ON ${name}.source = r._source AND ${name}.began_at = r.${column} AND ${name}.ended_at >= ${since}`;

async function* changedRows(
  postgres: Postgres,
  names: Names,
  { since, tables }: WantedChanges,
): AsyncGenerator<ChangedRow, void> {
  const joined = Object.entries({ gone: '_gone_at', added: '_first_seen', changed: '_changed_at' });
  const joins = joined.map(([name, column]) => syncOf(names, name, { column, since: '$1::timestamptz' })).join(' ');
  const times = joined.map(([name]) => timeText(`${name}.ended_at`)).join(', ');
  const counts = joined.map(([name]) => `${name}.source IS NOT NULL`).join(' OR ');
  for (const table of tables) {
    const sql = `SELECT ${times}, r._record FROM ${names.whole(table.name)} r ${joins} WHERE ${counts} ORDER BY r._seq`;
    const shown = [table.idColumn, nameColumn(table)].flatMap((name) =>
      table.columns.filter((each) => each.name === name),
    );
    for await (const [gone = null, added = null, changed = null, text] of postgres.each(sql, [since])) {
      // The column of a guid has lost its capitals.
      const [id = null, name = null] = cellsOf(shown, jsonIn(String(text)) as RecordValue, {});
      const told = [id, name].map((cell) => (cell === null ? null : String(cell)));
      yield { table: table.name, ...changeOf({ gone, added, changed }), id: told[0] ?? null, name: told[1] ?? null };
    }
  }
}

/** What syncs did to records, as the reader of a mirror tells it. Throws as a connection does. */
export const changesIn = (postgres: Postgres, names: Names, wanted: WantedChanges): AsyncIterable<ChangedRow> =>
  atOneMoment(postgres, changedRows(postgres, names, wanted));

/** The rows of a table by the pages of the lists that filled it; undefined for a fan-out, which has none. */
async function* byPage(
  postgres: Postgres,
  names: Names,
  { table, rows, values }: { table: MirrorTable; rows: string; values: readonly Sent[] },
): AsyncGenerator<string, void> {
  const pages = `SELECT p.seqs FROM ${names.own('_sources')} s JOIN ${names.own('_pages')} p ON p.source = s.id WHERE s."table" = $1 ORDER BY s.id, p.number`;
  const ranges = `json_array_elements($${values.length + 1}::json) WITH ORDINALITY AS g(range, place)`;
  const sql = `SELECT r._record FROM ${ranges} JOIN LATERAL (${rows} AND r._seq BETWEEN (g.range->>0)::bigint AND (g.range->>1)::bigint) r ON true ORDER BY g.place, r._seq`;
  let isPaged = false;
  for await (const [seqs = null] of postgres.each(pages, [table.name])) {
    isPaged = true;
    for (const [record] of await postgres.rows(sql, [...values, seqs])) yield String(record);
  }
  if (!isPaged) yield* ordered(postgres, rows, values);
}

async function* ordered(postgres: Postgres, rows: string, values: readonly Sent[]): AsyncGenerator<string, void> {
  for await (const [, record] of postgres.each(`${rows} ORDER BY r._seq`, values)) yield String(record);
}

/**
 * The records of a table, as the reader of a mirror gives them: page by page, so that a reader who wants the first few has the
 * server read no more. Throws as a connection does.
 */
export function recordsIn(
  postgres: Postgres,
  names: Names,
  { table, isGone, changedSince }: Wanted & { readonly table: MirrorTable },
): AsyncIterable<string> {
  const values = changedSince === undefined ? [] : [changedSince];
  const sync = syncOf(names, 'c', { column: '_changed_at', since: '$1::timestamptz' }).replace('LEFT JOIN', 'JOIN');
  const there = isGone ? 'r._gone_at IS NOT NULL' : `r._gone_at IS NULL${shownOnce(names, table)}`;
  const rows = `SELECT r._seq, r._record FROM ${names.whole(table.name)} r ${changedSince === undefined ? '' : sync} WHERE ${there}`;
  // Rows that are gone are on no page.
  const all = isGone ? ordered(postgres, rows, values) : byPage(postgres, names, { table, rows, values });
  return atOneMoment(postgres, all);
}
