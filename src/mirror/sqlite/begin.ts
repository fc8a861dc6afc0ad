import { type Database } from '../../sqlite/open.js';
import { tableOf, type PassStart } from '../store.js';
import { SqlitePass } from './pass.js';
import { placeIn, type Begun } from '../pass-state.js';
import { createTables, dropTables, staged } from './schema/tables.js';
import type { NumberedSource } from './schema/source.js';

function keptPass(database: Database, { id }: NumberedSource, calls: string): Begun | undefined {
  const row = database
    .statement('SELECT began_at, reading, state, last_page FROM "_passes" WHERE source = ? AND calls = ?')
    .first(id, calls);
  if (row === undefined) return undefined;
  const [startedAt, reading, state, lastPage] = row;
  const place = state === null || state === undefined ? undefined : placeIn(String(state));
  return { startedAt: String(startedAt), reading: Number(reading), place, lastOfFirst: Number(lastPage ?? -1) };
}

/** A time behind that of each sync of the source before, so that rows tell by it which sync they came with. */
export function laterThan(database: Database, { id }: NumberedSource, startedAt: string): string {
  const last = database.statement('SELECT max(began_at) FROM "_syncs" WHERE source = ?').first(id)?.[0];
  if (typeof last !== 'string' || last < startedAt) return startedAt;
  return new Date(Date.parse(last) + 1).toISOString();
}

/** Begins a sync of a source, or goes on with the one that was interrupted when its calls were the same. */
export function beginPass(database: Database, source: NumberedSource, start: PassStart): SqlitePass {
  const begun = database.write(() => {
    const kept = keptPass(database, source, start.calls);
    if (kept !== undefined) return kept;
    const table = tableOf(source);
    const startedAt = laterThan(database, source, start.startedAt);
    clearPass(database, source);
    database.execute(createTables(table, staged));
    database
      .statement('INSERT INTO "_passes" (source, calls, began_at, reading, state) VALUES (?, ?, ?, 1, NULL)')
      .run(source.id, start.calls, startedAt);
    return { startedAt, reading: 1, place: undefined, lastOfFirst: -1 };
  });
  return new SqlitePass(database, source, begun);
}

/** Removes what an interrupted sync of the same table left. */
export function clearPass(database: Database, source: NumberedSource): void {
  const { id, table } = source;
  // One table is staged for all its sources: an interrupted sync of another of them begins anew.
  const others = 'SELECT p.source FROM "_passes" p JOIN "_sources" s ON s.id = p.source WHERE s."table" = ?';
  for (const [other] of [...database.statement(others).all(table), [id]]) {
    database.statement('DELETE FROM "_passes" WHERE source = ?').run(other ?? null);
    database.statement('DELETE FROM "_pass_pages" WHERE source = ?').run(other ?? null);
  }
  database.execute(dropTables(tableOf(source), staged));
}
