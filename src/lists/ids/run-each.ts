import { isWatched } from '../../formats/streams.js';
import type { RecordValue } from '../../core/values/value.js';
import { setMaxListeners } from 'node:events';
import { req, type RecordType } from '../../contract/build.js';
import { guid } from '../../contract/scalars.js';
import { recordOfRow, withLead } from '../../client/rows/row.js';
import { printEnvelope } from '../../kit/calls/envelope.js';
import { concurrencyOf } from '../list-flags.js';
import {
  itemType,
  type Condition,
  printedMembers,
  showsRecord,
  type ListPlan,
  type ListRun,
  type PlanOf,
  readablePlan,
} from '../plan.js';
import { columnNames } from '../../formats/columns.js';
import { collectNotes, note, notesOfPrinted, warnOfNotes } from '../../kit/host/notes.js';
import { openProgress, type Progress } from '../../kit/host/progress.js';
import { formatFor } from '../../kit/output/record-output.js';
import { picked, printedType } from '../record/call.js';
import { acceptRows, moreNotes, startNotes } from '../run.js';
import { asPages, newSeen, nilNotes, readBeside, type Seen } from '../source.js';
import { passLimit, envelopeInput } from '../paging.js';
import { writeRows } from '../write-rows.js';
import { failureTally, type FailureTally, inOrder } from './outcomes.js';
import { resolveList } from '../resolve.js';
import type { ListedId, IdList } from './parse.js';

type Batches = AsyncGenerator<readonly RecordValue[], void>;

interface Reading {
  readonly run: ListRun;
  readonly planOf: PlanOf;
  readonly seen: Seen;
  readonly signal: AbortSignal;
  /** Each row says which id it belongs to. */
  readonly isOwned: boolean;
}

const ownerColumn = '_relationId';

/** A record has an Id of its own: it says for which id it came only where that is asked for. */
const asksOwner = (columns: string | undefined): boolean =>
  columnNames(columns)?.some((name) => name.toLowerCase() === ownerColumn.toLowerCase()) === true;

function withOwner(type: RecordType): RecordType {
  return { ...type, fields: { [ownerColumn]: req(guid, 'The id that relctl requested.'), ...type.fields } };
}

function owned(plan: ListPlan): ListPlan {
  const { printed } = plan;
  const own = printed && { printed: { ...printed, type: withOwner(printed.type) } };
  return { ...plan, table: [ownerColumn, ...plan.table], ...own };
}

async function* recordsOf({ run, seen, signal }: Reading, plan: ListPlan): Batches {
  if (showsRecord(plan)) {
    const { client, profile } = run.session;
    const reply = await client.callUntyped(plan.operation, plan.input, { signal });
    collectNotes(seen.notes, reply.notes);
    yield [await picked(reply, plan, profile.name)];
    return;
  }
  for await (const { records } of readBeside(run, plan, { seen, signal })) yield records.map(recordOfRow);
}

async function* batchesOf(reading: Reading, { id }: ListedId): Batches {
  const batches = recordsOf(reading, await reading.planOf(id));
  if (!reading.isOwned) return yield* batches;
  for await (const records of batches) yield records.map((record) => withLead(ownerColumn, id, record));
}

interface Work extends Omit<Reading, 'signal'> {
  readonly ids: IdList;
  /** Members of the results that are printed. */
  readonly printed: readonly string[];
  readonly where: Condition | undefined;
  readonly tally: FailureTally;
  readonly progress: Progress;
}

async function* rowsOfEach({ ids, printed, where, tally, progress, ...work }: Work): Batches {
  const { context, flags } = work.run;
  const stopping = new AbortController();
  const signal = AbortSignal.any([context.signal, stopping.signal]);
  // Each call under way adds several listeners.
  setMaxListeners(0, signal);
  const reading: Reading = { ...work, signal };
  try {
    for await (const outcome of inOrder(ids, (listedId) => batchesOf(reading, listedId), concurrencyOf(flags))) {
      if (outcome.kind === 'batch') yield where === undefined ? outcome.batch : outcome.batch.filter(where.keeps);
      else {
        progress.item();
        await tally.take(outcome);
      }
    }
  } finally {
    stopping.abort();
    await progress.end();
    await warnOfNotes(context, flags, notesOfPrinted(work.seen.notes, printed));
  }
}

async function printFirst(run: ListRun, ids: IdList, plan: ListPlan): Promise<void> {
  const { context, session, flags } = run;
  if (ids.size === 0) return;
  const input = envelopeInput(run, plan, session.connection.pageSize);
  await printEnvelope({ context, session, flags }, { operation: plan.operation, input });
  if (ids.size > 1) await note(context, flags, `relctl would send the same for ${ids.size - 1} more relations`);
}

/**
 * Asks the same of many relations, some at once, and writes the rows in the order of the ids. Rows of lists begin with a
 * column that says which relation they belong to. An id that fails is reported on stderr, and the others are asked for.
 * Throws `partial` at the end when some failed, their own kind when all did, and at once what would fail for each of them.
 */
export async function runEach(run: ListRun, ids: IdList, plansOf: PlanOf): Promise<void> {
  const planOf: PlanOf = async (id) => readablePlan(run.session, await plansOf(id));
  const { context, session, flags } = run;
  const first = await planOf(ids.first?.id ?? '');
  if (flags.envelope) return printFirst(run, ids, first);
  const isRecord = showsRecord(first);
  const isOwned = !isRecord || asksOwner(flags.columns);
  const own = isRecord ? printedType(first) : itemType(first);
  const type = isOwned ? withOwner(own) : own;
  const format = formatFor(context, session, { flags, record: type, shape: 'list' });
  const { plan, columns, output } = await resolveList(run, isOwned ? owned(first) : first, { type, format });
  const tally = failureTally(context, ids.size);
  const progress = openProgress(
    context,
    { quiet: flags.quiet || isWatched(context.streams.out), progress: session.progress },
    { items: ids.size },
  );
  const { where } = plan;
  const printed = printedMembers(first);
  const work: Work = { run, planOf, seen: newSeen(), isOwned, ids, printed, where, tally, progress };
  const { claim, notes } = await writeRows(run, {
    columns,
    request: output,
    source: () => () => asPages(rowsOfEach(work), passLimit(run)),
    accept: acceptRows(run, { list: undefined }),
    progress,
  });
  for (const line of [...startNotes(first), ...nilNotes(run, format, output), ...moreNotes(claim, 'rows'), ...notes])
    await note(context, flags, line);
  tally.end();
}
