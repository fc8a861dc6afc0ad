import type { ConnectionFlags } from '../../cli/flags/connection.js';
import type { MirrorFlags } from '../../cli/flags/mirror.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { openOutput } from '../../cli/output/open-output.js';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { dateTime, guid, string } from '../../contract/scalars.js';
import { perhaps, usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { nearest } from '../../lexical/nearest.js';
import { changesIn, tablesOf, type ChangedRow } from '../../mirror/sqlite/changes.js';
import { mirrorTables, type MirrorTable } from '../../mirror/tables.js';
import type { RecordValue } from '../../plain/value.js';
import { placeOfMirror } from '../../syncs/place.js';
import { openToRead } from './read.js';
import { sinceOf } from './since.js';

/** What `mirror changes` prints. */
export const ChangeLine = recordWithoutPresence('MirrorChange', 'What syncs did to a record of the mirror.', {
  Table: req(string, 'The table that it is in.'),
  Change: req(string, 'added, changed or gone.'),
  At: req(dateTime, 'When the sync ended that found it.'),
  Id: opt(guid, 'Its Id.'),
  Name: inRole('name', opt(string, 'What it is called, where it has a name.')),
});

type ChangesFlags = Pick<ConnectionFlags, 'profile'> &
  MirrorFlags &
  OutputFlags & { readonly since: string; readonly tables?: string | undefined };

/** The tables of names. Throws `usage` for a name that is no table of records. */
export function namedTables(names: readonly string[], place: string): readonly MirrorTable[] {
  const found = tablesOf(names);
  if (typeof found !== 'string') return found;
  throw usage(place, `the mirror has no table of records '${found}'`, {
    hint: 'relctl mirror tables',
    ...perhaps(found, nearest(found, [...mirrorTables.keys()])),
  });
}

/** Rows that are written at once. */
const atOnce = 1000;

/** Passes items on in batches, so that a million of them are never in memory, until it is told that no more are wanted. */
export async function inBatches<T>(
  items: Iterable<T>,
  write: (batch: readonly T[]) => Promise<unknown>,
): Promise<void> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < atOnce) continue;
    if ((await write(batch)) === false) return;
    batch = [];
  }
  if (batch.length > 0) await write(batch);
}

const lineOf = ({ table, change, at, id, name }: ChangedRow): RecordValue => ({
  Table: table,
  Change: change,
  At: at,
  Id: id,
  Name: name,
});

/**
 * Prints what syncs did to the records of the mirror since a time. Throws `usage`, `not-found` when there is no mirror,
 * `local` and `profile`.
 */
export async function showChanges(context: Context, flags: ChangesFlags): Promise<void> {
  const names = flags.tables === undefined ? [] : flags.tables.split(',').map((name) => name.trim());
  const tables = namedTables(names, '--tables');
  const since = sinceOf(context, flags, { text: flags.since, flag: '--since' });
  const database = openToRead(context, placeOfMirror(context, flags));
  const blank = 'No changes.';
  const output = await openOutput(context, undefined, {
    flags,
    record: ChangeLine,
    shape: 'list',
    table: ['Table', 'Change', 'Id', 'Name'],
    blank,
  });
  await inBatches(changesIn(database, { since, tables }), (rows) => output.write(rows.map(lineOf)));
  await output.finish();
}
