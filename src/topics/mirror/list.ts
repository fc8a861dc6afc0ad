import { type Values, switchFlag } from '../../kit/flags/define.js';
import { connectionFlags, outputFlags, type CommonFlags, mirrorFlags } from '../../kit/flags/common.js';
import { csvFlags } from '../../kit/flags/csv.js';
import { timeOption } from '../../kit/flags/kinds.js';
import { listMemberFlags, pagingFlags } from '../../lists/list-flags.js';
import {
  filledBySyncs,
  neverRead,
  oldestSync,
  reportAge,
  reportPartialTables,
  readMirror,
} from '../../names/mirror/open.js';
import { formatFor } from '../../kit/output/record-output.js';
import { openSession } from '../../kit/session/session.js';
import type { RecordType } from '../../contract/build.js';
import { isNested } from '../../contract/walk.js';
import type { Context } from '../../kit/host/context.js';
import { note } from '../../kit/host/notes.js';
import { resolveList } from '../../lists/resolve.js';
import { itemType, withoutFilled, type Condition, type ListPlan, type ListRun } from '../../lists/plan.js';
import { passLimit } from '../../lists/paging.js';
import { moreNotes } from '../../lists/run.js';
import { asPages, nilNotes } from '../../lists/source.js';
import { writeRows } from '../../lists/write-rows.js';
import { recordsIn } from '../../mirror/read.js';
import { sourcesIn } from '../../mirror/sources.js';
import { jsonIn, mirrorTables, tableNamed } from '../../mirror/tables.js';
import { defined, type RecordValue, inBatches } from '../../core/values/value.js';
import { planOf } from './sync/plan.js';
import { namedTables, refuseUnknown, timeOfFrom } from './changes.js';

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

/** Flags of lists that mean nothing where no service is called. */
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
