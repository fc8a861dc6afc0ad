import type { Postgres } from '../../postgres/connect.js';
import { SeqSet, type Ranges } from '../seqs.js';
import { placeIn, type Place } from '../pass-state.js';
import { tableOf, type Pass, type PassStart } from '../store.js';
import { keysOf } from './keys.js';
import { Pages } from './pages.js';
import { PostgresPass } from './pass.js';
import type { Names } from './schema.js';
import { timeText, type NumberedSource } from './source.js';
import { emptyStaged } from './staging.js';

/** A source in its mirror. */
export interface Given {
  readonly names: Names;
  readonly source: NumberedSource;
}

/** A sync as its line says it. */
interface Line {
  readonly startedAt: string;
  readonly reading: number;
  readonly place: Place | undefined;
  readonly lastOfFirst: number;
}

async function keptLine(postgres: Postgres, { names, source }: Given, calls: string): Promise<Line | undefined> {
  const row = await postgres.first(
    `SELECT ${timeText('began_at')}, reading, state, last_page FROM ${names.own('_passes')} WHERE source = $1 AND calls = $2`,
    [source.id, calls],
  );
  if (row === undefined) return undefined;
  const [startedAt, reading, state, lastPage] = row;
  const place = state === null || state === undefined ? undefined : placeIn(state);
  return { startedAt: startedAt ?? '', reading: Number(reading), place, lastOfFirst: Number(lastPage ?? -1) };
}

/** A time behind that of each sync of the source before, so that rows tell by it which sync they came with. */
async function laterThan(postgres: Postgres, { names, source }: Given, startedAt: string): Promise<string> {
  const sql = `SELECT ${timeText('max(began_at)')} FROM ${names.own('_syncs')} WHERE source = $1`;
  const last = (await postgres.first(sql, [source.id]))?.[0] ?? '';
  return last < startedAt ? startedAt : new Date(Date.parse(last) + 1).toISOString();
}

/** Removes what an interrupted sync of the same table left. */
export async function clearPass(postgres: Postgres, { names, source }: Given): Promise<void> {
  // One table is staged for all its sources: an interrupted sync of another of them begins anew.
  const others = `SELECT id FROM ${names.own('_sources')} WHERE "table" = $1`;
  for (const own of ['_passes', '_pass_pages']) {
    await postgres.run(`DELETE FROM ${names.own(own)} WHERE source IN (${others})`, [source.table]);
  }
  await emptyStaged(postgres, names, tableOf(source));
}

async function newLine(postgres: Postgres, given: Given, { startedAt, calls }: PassStart): Promise<Line> {
  const later = await laterThan(postgres, given, startedAt);
  await clearPass(postgres, given);
  await postgres.run(
    `INSERT INTO ${given.names.own('_passes')} (source, calls, began_at, reading) VALUES ($1, $2, $3, 1)`,
    [given.source.id, calls, later],
  );
  return { startedAt: later, reading: 1, place: undefined, lastOfFirst: -1 };
}

const setOf = (pages: readonly Ranges[]): SeqSet => {
  const set = new SeqSet();
  for (const seqs of pages) set.addAll(seqs);
  return set;
};

/** The largest number of a row of the table of a source, staged or not; 0 where there is none. */
export async function lastSeq(postgres: Postgres, { names, source }: Given): Promise<number> {
  const most = (name: string): string => `coalesce((SELECT max(_seq) FROM ${name}), 0)`;
  const of = [names.whole(source.table), names.staged(source.table)].map(most).join(', ');
  return Number((await postgres.first(`SELECT greatest(${of})`))?.[0]);
}

/** The line of a sync that begins, or of the one that was interrupted when its calls were the same. */
export const beginLine = (postgres: Postgres, given: Given, start: PassStart): Promise<Line> =>
  postgres.transaction(
    async () => (await keptLine(postgres, given, start.calls)) ?? (await newLine(postgres, given, start)),
  );

/** Begins a sync of a source, or goes on with the one that was interrupted when its calls were the same. */
export async function beginPass(postgres: Postgres, given: Given, start: PassStart): Promise<Pass> {
  const line = await beginLine(postgres, given, start);
  const { place, reading } = line;
  const pages = await Pages.of(postgres, given);
  const seen = setOf(await pages.ofAll(reading > 1 ? line.lastOfFirst : (place?.lastPage ?? -1)));
  // In a second reading the records of the first were seen, too, but not by the walk that goes on.
  const placed = reading === 1 ? seen : setOf(await pages.ofReading(reading));
  const table = tableOf(given.source);
  const resume =
    place === undefined
      ? undefined
      : { ...place, keys: await keysOf(postgres, given.names, { ...given, table, among: placed }) };
  const last = await lastSeq(postgres, given);
  return new PostgresPass(postgres, given, { ...line, pages, seen, placed, resume, lastSeq: last });
}
