import type { ConnectionFlags, OutputFlags, MirrorFlags } from '../../kit/flags/common.js';
import { profileOf } from '../../kit/session/profile-store.js';
import { momentFor } from '../../kit/session/times.js';
import { instantKey } from '../../core/text/time/instant-key.js';
import { firstMoment } from '../../core/text/time/moment.js';
import { oldestSync, tellAge } from '../../kit/mirror/age.js';
import { openOutput, askingOf } from '../../kit/output/open-output.js';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { dateTime, guid, string } from '../../contract/scalars.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { note } from '../../kit/host/notes.js';
import { nearest } from '../../core/text/nearest.js';
import { changesIn, tablesOf, type ChangedRow } from '../../mirror/read.js';
import { callPrefix } from '../../mirror/of-call/names.js';
import { sourcesIn, tablesWith, type SourceState } from '../../mirror/sources.js';
import type { MirrorTable } from '../../mirror/tables.js';
import type { RecordValue } from '../../core/values/value.js';
import { readMirror } from '../../kit/mirror/open.js';

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
  OutputFlags & {
    readonly since: string;
    readonly tables?: string | undefined;
    readonly limit?: number | undefined;
  };

/**
 * The tables of names, in a mirror of some sources. Throws `usage` for a name that is no table of records.
 * @param place where the names were given
 */
export function namedTables(
  names: readonly string[],
  place: string,
  sources: readonly SourceState[],
): readonly MirrorTable[] {
  const found = tablesOf(names, sources);
  if (typeof found !== 'string') return found;
  const known = tablesWith(sources).map(({ name }) => name);
  throw usage(place, `the mirror has no table of records '${found}'`, {
    hint: 'relctl mirror status',
    ...perhaps(found, nearest(found, known)),
  });
}

/** Throws `usage`, before a mirror is opened, for a name that is a table of records in none. */
export function refuseUnknown(names: readonly string[], place: string): void {
  namedTables(
    names.filter((name) => !name.startsWith(callPrefix)),
    place,
    [],
  );
}

/** The time of --since as mirrors keep times: UTC, to the millisecond. Throws `usage` and `profile`. */
export function sinceOf(context: Context, flags: Pick<ConnectionFlags, 'profile'>, text: string): string {
  const moment = momentFor(context, profileOf(context, flags), { text, flag: '--since' }).text;
  if (moment === firstMoment) return '';
  const ms = Date.parse(moment);
  return Number.isFinite(ms) ? new Date(ms).toISOString() : (instantKey(moment) ?? moment);
}

/** Rows that are written at once. */
const atOnce = 1000;

/** Passes items on in batches, so that a million of them are never in memory, until it is told that no more are wanted. */
export async function inBatches<T>(
  items: Iterable<T> | AsyncIterable<T>,
  write: (batch: readonly T[]) => Promise<unknown>,
): Promise<void> {
  let batch: T[] = [];
  for await (const item of items) {
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

const table = ['Table', 'Change', 'Id', 'Name'];

/** Prints changes that --where keeps, up to --limit. Gives true when there are more. */
async function print(
  context: Context,
  flags: ChangesFlags,
  changes: Iterable<ChangedRow> | AsyncIterable<ChangedRow>,
): Promise<boolean> {
  const { sort, limit } = flags;
  // What --sort puts in order is cut behind it.
  const cut = sort === undefined ? {} : { limit };
  const request = { flags, record: ChangeLine, shape: 'list', table, blank: 'No changes.', ...cut } as const;
  const asking = await askingOf({ context, session: undefined }, request);
  const output = await openOutput(context, undefined, { ...request, isFiltered: true });
  const most = (sort === undefined ? limit : undefined) ?? Number.POSITIVE_INFINITY;
  let count = 0;
  await inBatches(changes, async (rows) => {
    const kept = rows.map(lineOf).filter((line) => asking?.keeps(line) ?? true);
    const more = kept.slice(0, most - Math.min(count, most));
    count += kept.length;
    if (more.length > 0) await output.write(more);
    return count <= most;
  });
  await output.finish();
  return count > most;
}

/** Prints what syncs changed in a mirror since a time. Throws `usage`, `not-found` without one, `local`, `profile`. */
export async function showChanges(context: Context, flags: ChangesFlags): Promise<void> {
  const names = flags.tables === undefined ? [] : flags.tables.split(',').map((name) => name.trim());
  refuseUnknown(names, '--tables');
  const since = sinceOf(context, flags, flags.since);
  const database = readMirror(context, flags);
  const sources = sourcesIn(database);
  const tables = namedTables(names, '--tables', sources);
  const isCut = await print(context, flags, changesIn(database, { since, tables }));
  if (isCut) await note(context, flags, 'stopped at --limit: more changes exist');
  const shown = tables.map(({ name }) => name);
  await tellAge(context, flags, oldestSync(sources, shown));
}
