import type { CommonFlags, ConnectionFlags, OutputFlags, MirrorFlags } from '../../kit/flags/common.js';
import { profileOf } from '../../kit/session/profile-store.js';
import { periodEnd } from '../../kit/session/times.js';
import { instantKey } from '../../core/text/time/datetime.js';
import { firstMoment } from '../../core/text/time/moment.js';
import { oldestSync, reportAge, readMirror } from '../../names/mirror/open.js';
import { printUpTo } from '../../kit/output/open-output.js';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { dateTime, guid, string } from '../../contract/scalars.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { note } from '../../kit/host/notes.js';
import { nearest } from '../../core/text/nearest.js';
import { changesIn, tablesOf, type ChangedRow } from '../../mirror/read.js';
import { callPrefix } from '../../mirror/of-call/table.js';
import { sourcesIn, tablesWith, type SourceState } from '../../mirror/sources.js';
import type { MirrorTable } from '../../mirror/tables.js';
import type { RecordValue } from '../../core/values/value.js';

/** What `mirror changes` prints. */
export const ChangeLine = recordWithoutPresence('MirrorChange', 'A change of a record of the mirror.', {
  Table: req(string, 'Table of the record.'),
  Change: req(string, 'added, changed or gone.'),
  At: req(dateTime, 'End of the sync that found the change.'),
  Id: opt(guid, 'Its Id.'),
  Name: inRole('name', opt(string, 'Name of the record, if it has one.')),
});

type ChangesFlags = Pick<ConnectionFlags, 'profile'> &
  MirrorFlags &
  OutputFlags & {
    readonly from: string;
    readonly tables?: string | undefined;
    readonly limit?: number | undefined;
  };

/**
 * The tables of names, in a mirror of some sources. Throws `usage` for a name that is no table of records.
 * @param where where the names were given
 */
export function namedTables(
  names: readonly string[],
  where: string,
  sources: readonly SourceState[],
): readonly MirrorTable[] {
  const tables = tablesOf(names, sources);
  if (typeof tables !== 'string') return tables;
  const known = tablesWith(sources).map(({ name }) => name);
  throw usage(
    where,
    `the mirror has no table of records '${tables}'`,
    perhaps(tables, nearest(tables, known), 'relctl mirror status'),
  );
}

/** Throws `usage`, before a mirror is opened, for a name that is a table of records in none. */
export function refuseUnknown(names: readonly string[], where: string): void {
  namedTables(
    names.filter((name) => !name.startsWith(callPrefix)),
    where,
    [],
  );
}

/** The time of --from as mirrors store times: UTC, to the millisecond. Throws `usage` and `profile`. */
export async function timeOfFrom(
  context: Context,
  flags: Pick<ConnectionFlags, 'profile'> & CommonFlags,
  text: string,
): Promise<string> {
  const session = { profile: profileOf(context, flags) };
  const moment = await periodEnd({ context, session, flags }, { text, flag: '--from', side: 'earlier' });
  if (moment === firstMoment) return '';
  const ms = Date.parse(moment);
  return Number.isFinite(ms) ? new Date(ms).toISOString() : (instantKey(moment) ?? moment);
}

async function* linesOf(changes: Iterable<ChangedRow> | AsyncIterable<ChangedRow>): AsyncGenerator<RecordValue, void> {
  for await (const { table, change, at, id, name } of changes)
    yield { Table: table, Change: change, At: at, Id: id, Name: name };
}

const table = ['Table', 'Change', 'Id', 'Name'];

/** Prints what syncs changed in a mirror since a time. Throws `usage`, `not-found` without one, `local`, `profile`. */
export async function showChanges(context: Context, flags: ChangesFlags): Promise<void> {
  const names = flags.tables === undefined ? [] : flags.tables.split(',').map((name) => name.trim());
  refuseUnknown(names, '--tables');
  const since = await timeOfFrom(context, flags, flags.from);
  const database = readMirror(context, flags);
  const sources = sourcesIn(database);
  const tables = namedTables(names, '--tables', sources);
  const { limit } = flags;
  const request = { flags, record: ChangeLine, shape: 'list', table, blank: 'No changes.', limit } as const;
  const isCut = await printUpTo(context, request, linesOf(changesIn(database, { since, tables })));
  if (isCut) await note(context, flags, 'stopped at --limit: more changes exist');
  const known = tables.map(({ name }) => name);
  await reportAge(context, flags, oldestSync(sources, known));
}
