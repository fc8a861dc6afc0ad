import type { Claim, Page } from '../client/pages.js';
import { noTotals, totalsBehind, type WalkState } from '../client/paging.js';
import type { RecordValue } from '../core/values/value.js';
import type { Database } from '../state/sqlite/open.js';
import { createTables, dropTables, staged } from './schema.js';
import { tableOf, type SourceState } from './sources.js';
import { jsonIn, type Identity } from './tables.js';

/** How a sync is begun. */
export interface PassStart {
  readonly startedAt: string;
  /** Identifies the calls of the sync, as one text: one that was interrupted goes on only with the same calls. */
  readonly calls: string;
}

/** How far a sync has read its list, without the records that were seen. */
export type Progress = Omit<WalkState, 'keys'>;

/** A sync as the mirror keeps it. */
export interface PassState {
  readonly startedAt: string;
  readonly reading: number;
  readonly progress: Progress | undefined;
  readonly lastOfFirst: number;
}

/** How far a list is read behind a page. */
export function progressBehind(
  before: Progress | undefined,
  page: Page,
  idOf: (record: RecordValue) => string | undefined,
): Progress {
  const { number, signature, pageSize = before?.pageSize ?? 0 } = page;
  return {
    ...totalsBehind(before ?? noTotals, page, idOf),
    lastPage: number,
    pageSize,
    signature,
    // The page behind which an earlier run stopped comes again where it has other rows now.
    shifted: before?.shifted === true || number === before?.lastPage,
  };
}

function interruptedPass(database: Database, { id }: SourceState, calls: string): PassState | undefined {
  const row = database
    .statement('SELECT began_at, reading, state, last_page FROM "_passes" WHERE source = ? AND calls = ?')
    .first(id, calls);
  if (row === undefined) return undefined;
  const [startedAt, reading, state, lastPage] = row;
  const progress = typeof state === 'string' ? (jsonIn(state) as Progress) : undefined;
  return { startedAt: String(startedAt), reading: Number(reading), progress, lastOfFirst: Number(lastPage ?? -1) };
}

/** A time behind that of each sync of the source before, so that rows tell by it which sync they came with. */
export function laterThan(database: Database, { id }: SourceState, startedAt: string): string {
  const last = database.statement('SELECT max(began_at) FROM "_syncs" WHERE source = ?').first(id)?.[0];
  if (typeof last !== 'string' || last < startedAt) return startedAt;
  return new Date(Date.parse(last) + 1).toISOString();
}

/** Begins a sync of a source, or goes on with the one that was interrupted when its calls were the same. */
export function beginPass(database: Database, source: SourceState, given: PassStart): PassState {
  return database.write(() => {
    const interrupted = interruptedPass(database, source, given.calls);
    if (interrupted !== undefined) return interrupted;
    const table = tableOf(source);
    const startedAt = laterThan(database, source, given.startedAt);
    clearPass(database, source);
    database.execute(createTables(table, staged));
    database
      .statement('INSERT INTO "_passes" (source, calls, began_at, reading, state) VALUES (?, ?, ?, 1, NULL)')
      .run(source.id, given.calls, startedAt);
    return { startedAt, reading: 1, progress: undefined, lastOfFirst: -1 };
  });
}

/** Removes what an interrupted sync of the same table left. */
export function clearPass(database: Database, source: SourceState): void {
  const { id, table } = source;
  // One table is staged for all its sources: an interrupted sync of another of them begins anew.
  const others = 'SELECT p.source FROM "_passes" p JOIN "_sources" s ON s.id = p.source WHERE s."table" = ?';
  for (const [other] of [...database.statement(others).all(table), [id]]) {
    database.statement('DELETE FROM "_passes" WHERE source = ?').run(other ?? null);
    database.statement('DELETE FROM "_pass_pages" WHERE source = ?').run(other ?? null);
  }
  database.execute(dropTables(tableOf(source), staged));
}

const mostReadings = 3;

interface Reading {
  readonly reading: number;
  readonly missing: number;
  readonly isRestless: boolean;
  readonly shifted: boolean;
}

/** True when records moved while a list was read. */
export const isRestless = ({ duplicates, changed, shifted }: Claim, identity: Identity): boolean =>
  // Entries of a telephone book may have one Id and several contents.
  duplicates > 0 || shifted || (identity === 'id' && changed > 0);

/**
 * True when a list has to be read once more: to confirm that records are gone, or because they moved. A run goes on with what
 * another one read at its beginning alone, so that each run comes to a reading that is all its own.
 */
export const isToBeReadAgain = ({ reading, missing, isRestless: moved, shifted }: Reading): boolean =>
  shifted || (moved ? reading < mostReadings : missing > 0 && reading === 1);
