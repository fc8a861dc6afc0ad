import type { Claim, Page } from '../client/pages.js';
import { noTotals, totalsAfter, type WalkState } from '../client/paging.js';
import type { RecordValue } from '../core/values/value.js';
import type { Database } from '../state/sqlite/open.js';
import { createTables, dropTables, staged } from './schema.js';
import { tableOf, type SyncCounts, type SourceState } from './sources.js';
import type { Cell } from '../contract/columns.js';
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
  reading: number;
  progress: Progress | undefined;
  /** The last page of the first reading, in later ones. */
  lastOfFirst: number;
}

/** How far a list is read behind a page. */
export function progressAfter(
  before: Progress | undefined,
  page: Page,
  idOf: (record: RecordValue) => string | undefined,
): Progress {
  const { number, signature, pageSize = before?.pageSize ?? 0 } = page;
  return {
    ...totalsAfter(before ?? noTotals, page, idOf),
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

const passTables = ['_passes', '_pass_pages'];

/**
 * Writes that a sync of a source begins. Gives its time, which is behind that of each sync of the source before, so that rows
 * tell by it which sync they came with. Throws `local`.
 */
export function insertPass(database: Database, { id }: SourceState, { calls, startedAt: now }: PassStart): string {
  const last = database.statement('SELECT max(began_at) FROM "_syncs" WHERE source = ?').first(id)?.[0];
  const startedAt = typeof last !== 'string' || last < now ? now : new Date(Date.parse(last) + 1).toISOString();
  database
    .statement('INSERT OR REPLACE INTO "_passes" (source, calls, began_at, reading, state) VALUES (?, ?, ?, 1, NULL)')
    .run(id, calls, startedAt);
  return startedAt;
}

/**
 * Writes that a sync of a source has ended, and what it did; `isListed` where its time is that of rows. Throws `local`.
 */
export function endPass(
  database: Database,
  { id }: SourceState,
  end: { readonly startedAt: string; readonly endedAt: string; readonly did: SyncCounts; readonly isListed: boolean },
): void {
  const { startedAt, endedAt, did, isListed } = end;
  const run = (sql: string, ...values: readonly Cell[]): unknown => database.statement(sql).run(...values);
  const values = 'synced_from = ?, synced_at = ?, rows = ?, added = ?, changed = ?, gone = ?';
  const { rows, added, changed, gone } = did;
  run(`UPDATE "_sources" SET ${values} WHERE id = ?`, startedAt, endedAt, rows, added, changed, gone, id);
  if (isListed) run('INSERT INTO "_syncs" (source, began_at, ended_at) VALUES (?, ?, ?)', id, startedAt, endedAt);
  for (const table of passTables) run(`DELETE FROM "${table}" WHERE source = ?`, id);
}

/** Begins a sync of a source, or goes on with the one that was interrupted when its calls were the same. */
export function beginPass(database: Database, source: SourceState, start: PassStart): PassState {
  return database.write(() => {
    const interrupted = interruptedPass(database, source, start.calls);
    if (interrupted !== undefined) return interrupted;
    clearPass(database, source);
    database.execute(createTables(tableOf(source), staged));
    return { startedAt: insertPass(database, source, start), reading: 1, progress: undefined, lastOfFirst: -1 };
  });
}

/** Removes what an interrupted sync of the same table left. */
export function clearPass(database: Database, source: SourceState): void {
  const { id, table } = source;
  // One table is staged for all its sources: an interrupted sync of another of them begins anew.
  const others = 'SELECT p.source FROM "_passes" p JOIN "_sources" s ON s.id = p.source WHERE s."table" = ?';
  for (const [other = null] of [...database.statement(others).all(table), [id]]) {
    for (const own of passTables) database.statement(`DELETE FROM "${own}" WHERE source = ?`).run(other);
  }
  database.execute(dropTables(tableOf(source), staged));
}

/** True when records moved while a list was read. */
export const isRestless = ({ duplicates, changed, shifted }: Claim, identity: Identity): boolean =>
  // Entries of a telephone book may have one Id and several contents.
  duplicates > 0 || shifted || (identity === 'id' && changed > 0);
