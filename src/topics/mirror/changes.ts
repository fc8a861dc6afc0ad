import type { LocationFlags } from '../../names/mirror/location.js';
import {
  type CommonFlags,
  type ConnectionFlags,
  type OutputFlags,
  connectionFlags,
  outputFlags,
  mirrorFlags,
} from '../../kit/flags/common.js';
import { profileOf } from '../../kit/session/profile-store.js';
import { periodEnd } from '../../kit/session/times.js';
import { instantKey } from '../../core/text/time/datetime.js';
import { firstMoment } from '../../core/text/time/moment.js';
import {
  oldestSync,
  reportAge,
  readMirror,
  filledBySyncs,
  neverRead,
  reportPartialTables,
} from '../../names/mirror/open.js';
import { printUpTo } from '../../kit/output/open-output.js';
import { inRole, opt, recordWithoutPresence, req, type RecordType } from '../../contract/build.js';
import { dateTime, guid, string } from '../../contract/scalars.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { note } from '../../kit/host/notes.js';
import { nearest } from '../../core/text/text.js';
import {
  changesIn,
  tablesOf,
  type ChangedRow,
  recordsIn,
  sourcesIn,
  tablesWith,
  type SourceState,
} from '../../mirror/sources.js';
import { callPrefix } from '../../mirror/of-call/table.js';
import { type MirrorTable, jsonIn, mirrorTables, tableNamed } from '../../mirror/tables.js';
import { inBatches, type RecordValue, defined } from '../../core/values/value.js';
import { type Values, switchFlag } from '../../kit/flags/define.js';
import { csvFlags } from '../../kit/flags/csv.js';
import { timeOption } from '../../kit/flags/kinds.js';
import { listMemberFlags, pagingFlags } from '../../lists/list-flags.js';
import { formatFor } from '../../kit/output/record-output.js';
import { openSession } from '../../kit/session/session.js';
import { isNested } from '../../contract/walk.js';
import { resolveList } from '../../lists/resolve.js';
import { itemType, withoutFilled, type Condition, type ListPlan, type ListRun } from '../../lists/plan.js';
import { passLimit } from '../../lists/paging.js';
import { moreNotes } from '../../lists/run.js';
import { asPages, nilNotes } from '../../lists/source.js';
import { writeRows } from '../../lists/write-rows.js';
import { planOf } from './sync/sync.js';

/** What `mirror changes` prints. */
export const ChangeLine = recordWithoutPresence('MirrorChange', 'A change of a record of the mirror.', {
  Table: req(string, 'Table of the record.'),
  Change: req(string, 'added, changed or gone.'),
  At: req(dateTime, 'End of the sync that found the change.'),
  Id: opt(guid, 'Its Id.'),
  Name: inRole('name', opt(string, 'Name of the record, if it has one.')),
});

type ChangesFlags = LocationFlags &
  OutputFlags & { readonly from: string; readonly tables?: string | undefined; readonly limit?: number | undefined };

/**
 * The tables of names, in a mirror of some sources. Throws `usage` for a name that is no table of records.
 * @param where where the names were given
 */
function namedTables(names: readonly string[], where: string, sources: readonly SourceState[]): readonly MirrorTable[] {
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
function refuseUnknown(names: readonly string[], where: string): void {
  namedTables(
    names.filter((name) => !name.startsWith(callPrefix)),
    where,
    [],
  );
}

/** The time of --from as mirrors store times: UTC, to the millisecond. Throws `usage` and `profile`. */
async function timeOfFrom(
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

const rowsAtOnce = 1000;

function* linesOf(changes: Iterable<ChangedRow>): Generator<RecordValue, void> {
  for (const { table, change, at, id, name } of changes)
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
  const batches = inBatches(linesOf(changesIn(database, { since, tables })), rowsAtOnce);
  await printUpTo(context, request, { batches, more: 'more changes exist' });
  const known = tables.map(({ name }) => name);
  await reportAge(context, flags, oldestSync(sources, known));
}

/** Flags of `mirror list`. */
export const mirrorListFlags = {
  profile: connectionFlags.profile,
  ...mirrorFlags,
  gone: switchFlag({ summary: 'List the records that the service no longer has.', helpGroup: 'MIRROR' }),
  from: timeOption({
    summary: 'Only records that were added or changed by a sync that ended then or later.',
    helpGroup: 'MIRROR',
  }),
  limit: pagingFlags.limit,
  ...outputFlags,
  ...listMemberFlags,
  ...csvFlags,
};

/** Records that `mirror list` may print. */
export const mirroredRecords = (): readonly RecordType[] => [...mirrorTables.values()].map(({ record }) => record);

type Flags = Values<typeof mirrorListFlags> & CommonFlags;

const noService = {
  timeout: undefined,
  set: undefined,
  envelope: false,
  trace: undefined,
  record: undefined,
} as const;

function* passing(records: Iterable<string>, keeps: Condition['keeps'] = () => true): Generator<RecordValue, void> {
  for (const json of records) {
    const record = jsonIn(json) as RecordValue;
    if (keeps(record)) yield record;
  }
}

const batchRows = 1000;

function withAllColumns(plan: ListPlan): ListPlan {
  const fields = Object.entries(itemType(plan).fields);
  return { ...plan, table: fields.filter(([, { type }]) => !isNested(type)).map(([name]) => name) };
}

/**
 * Prints the records of a table of the mirror as the list of the service prints them. Throws `usage` for an unknown table,
 * `not-found` when there is no mirror or the table was never read, `local` and `profile`.
 */
export async function listMirrored(context: Context, name: string, flags: Flags): Promise<void> {
  refuseUnknown([name], 'TABLE');
  const { from } = flags;
  const changedSince = from === undefined ? undefined : await timeOfFrom(context, flags, from);
  const database = readMirror(context, flags);
  const all = sourcesIn(database);
  const [table = tableNamed(name)] = namedTables([name], 'TABLE', all);
  const sources = all.filter((source) => source.table === name);
  if (filledBySyncs(sources, table) === 'none') throw neverRead(sources, name);
  const session = await openSession(context, flags);
  const run: ListRun = { context, session, flags: { ...noService, ...flags } };
  const input = Object.assign({}, ...sources.map((source) => source.input)) as RecordValue;
  const listPlan = planOf({ table: name, input, ...defined({ own: sources[0]?.own }) });
  const listed = withAllColumns({ ...listPlan, operation: withoutFilled(listPlan.operation, session) });
  const format = formatFor(context, session, { flags, record: itemType(listed), shape: 'list' });
  const { plan, columns, output } = await resolveList(run, listed, { type: itemType(listed), format });
  const read = { isGone: flags.gone, changedSince };
  const { claim, notes } = await writeRows(run, {
    columns,
    request: output,
    source: () => () =>
      asPages(inBatches(passing(recordsIn(database, table, read), plan.where?.keeps), batchRows), passLimit(run)),
  });
  for (const line of [...nilNotes(run, format, output), ...moreNotes(claim, 'records'), ...notes])
    await note(context, flags, line);
  await reportPartialTables(context, flags, { sources, tables: [table] });
  await reportAge(context, flags, oldestSync(sources, [name]));
}
