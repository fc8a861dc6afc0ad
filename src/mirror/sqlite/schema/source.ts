import type { RecordValue } from '../../../plain/value.js';
import { defined } from '../../../plain/defined.js';
import type { Database, Row } from '../../../sqlite/open.js';
import { tablesKept } from '../../of-call/kept.js';
import type { CallTable } from '../../of-call/table.js';
import type { SourceState, Unfinished } from '../../store.js';
import type { Place } from '../../pass-state.js';
import { jsonIn, tableIn } from '../../damaged.js';

/** A source as the database numbers it. */
export interface NumberedSource extends SourceState {
  readonly id: number;
}

const columns = 'id, name, "table", input, synced_from, synced_at, rows, added, changed, gone';

const textOf = (cell: Row[number] | undefined): string | undefined => (typeof cell === 'string' ? cell : undefined);

/** The sync of a source that was interrupted, or is under way. */
function unfinishedIn(database: Database, id: number): Unfinished | undefined {
  const row = database.statement('SELECT began_at, state FROM "_passes" WHERE source = ?').first(id);
  if (row === undefined) return undefined;
  const place = typeof row[1] === 'string' ? (jsonIn(row[1]) as Place) : undefined;
  return { startedAt: String(row[0]), pages: place?.pages ?? 0, rows: place?.rows ?? 0 };
}

/** The tables that a mirror has for lists of operations, by their names. Throws `local` for what no relctl wrote. */
export const callTablesIn = (database: Database): ReadonlyMap<string, CallTable> =>
  tablesKept(database.statement('SELECT name, value FROM "_mirror"').each());

/** The sources of a mirror, in their order. */
export function sourcesIn(database: Database): readonly NumberedSource[] {
  const own = callTablesIn(database);
  return database
    .statement(`SELECT ${columns} FROM "_sources" ORDER BY id`)
    .all()
    .map(([id, name, table, input, syncedFrom, syncedAt, rows, added, changed, gone]) => ({
      id: Number(id),
      name: String(name),
      table: tableIn(String(table), own),
      ...defined({ own: own.get(String(table)) }),
      input: jsonIn(String(input)) as RecordValue,
      syncedFrom: textOf(syncedFrom),
      syncedAt: textOf(syncedAt),
      last:
        syncedAt === null
          ? undefined
          : { rows: Number(rows), added: Number(added), changed: Number(changed), gone: Number(gone) },
      unfinished: unfinishedIn(database, Number(id)),
    }));
}
