import type { RecordValue } from '../../core/values/value.js';
import { setMaxListeners } from 'node:events';
import { req, type RecordType } from '../../contract/build.js';
import { guid } from '../../contract/scalars.js';
import { readPages } from '../../client/pages.js';
import { recordOf, withLead } from '../../client/rows/row.js';
import { printEnvelope } from '../../kit/calls/envelope.js';
import { concurrencyOf } from '../list-flags.js';
import {
  itemType,
  type Condition,
  ownId,
  printedMembers,
  showsRecord,
  type ListPlan,
  type ListRun,
  type PlanOf,
  readablePlan,
} from '../plan.js';
import { columnNames } from '../../formats/column-words.js';
import { collectNotes, note, notesOfPrinted, warnOfNotes } from '../../kit/host/notes.js';
import { openProgress, type Progress } from '../../kit/host/progress.js';
import { formatFor } from '../../kit/output/record-output.js';
import { picked, printedType } from '../record/call.js';
import { moreExist, startNotes, writeCounted } from '../run.js';
import { fetchPages, nilNotes, readWhole, type Seen } from '../source.js';
import { pagesOf, passLimit, envelopeInput } from '../paging.js';
import type { Source } from '../write-rows.js';
import { failureTally, type FailureTally } from './failures.js';
import { resolveList } from '../filter.js';
import { inOrder } from './in-order.js';
import type { ListedId, IdList } from './id-list.js';

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

function tagged(type: RecordType): RecordType {
  return { ...type, fields: { [ownerColumn]: req(guid, 'The id that was asked for.'), ...type.fields } };
}

function owned(plan: ListPlan): ListPlan {
  const { printed } = plan;
  const own = printed && { printed: { ...printed, type: tagged(printed.type) } };
  return { ...plan, table: [ownerColumn, ...plan.table], ...own };
}

async function* oneRecord({ run, seen, signal }: Reading, plan: ListPlan): Batches {
  const { client, profile } = run.session;
  const reply = await client.callUntyped(plan.operation, plan.input, { signal });
  collectNotes(seen.notes, reply.notes);
  yield [await picked(reply, plan, profile.name)];
}

async function* wholeList({ run, seen, signal }: Reading, plan: ListPlan): Batches {
  const { records, notes } = await readWhole(run, plan, { signal });
  collectNotes(seen.notes, notes);
  yield records.map(recordOf);
}

async function* pagedList({ run, seen, signal }: Reading, plan: ListPlan): Batches {
  // Other ids are asked for at the same time: no pages are fetched ahead.
  const paging = { ...pagesOf(run.session), prefetch: 0, idOf: plan.idOf ?? ownId, signal };
  for await (const { records } of readPages(fetchPages(run, plan, { seen }), paging)) yield records.map(recordOf);
}

function sourceFor(reading: Reading, plan: ListPlan): Batches {
  if (showsRecord(plan)) return oneRecord(reading, plan);
  return plan.operation.paged === undefined ? wholeList(reading, plan) : pagedList(reading, plan);
}

async function* batchesOf(reading: Reading, { id }: ListedId): Batches {
  const source = sourceFor(reading, await reading.planOf(id));
  if (!reading.isOwned) return yield* source;
  for await (const records of source) yield records.map((record) => withLead(ownerColumn, id, record));
}

interface Work extends Pick<Reading, 'run' | 'planOf' | 'isOwned'> {
  readonly ids: IdList;
  readonly printed: readonly string[];
  readonly where: Condition | undefined;
  readonly tally: FailureTally;
  readonly progress: Progress;
}

function sourceOf({ run, ids, planOf, isOwned, printed, where, tally, progress }: Work): Source {
  const { context, flags } = run;
  let left = passLimit(run) ?? Number.POSITIVE_INFINITY;
  return async ({ write }) => {
    const stopping = new AbortController();
    const seen: Seen = { notes: [], serverTimes: [] };
    const signal = AbortSignal.any([context.signal, stopping.signal]);
    // Each call under way adds several listeners.
    setMaxListeners(0, signal);
    const reading: Reading = { run, planOf, seen, signal, isOwned };
    try {
      for await (const outcome of inOrder(ids, (listedId) => batchesOf(reading, listedId), concurrencyOf(flags))) {
        if (outcome.kind !== 'batch') {
          progress.item();
          await tally.take(outcome);
          continue;
        }
        const batch = where === undefined ? outcome.batch : outcome.batch.filter(where.keeps);
        const rows = batch.slice(0, left);
        left -= rows.length;
        progress.page(rows.length);
        await write(rows);
        if (rows.length < batch.length) return [moreExist('rows')];
      }
      return [];
    } finally {
      stopping.abort();
      await progress.end();
      await warnOfNotes(context, flags, notesOfPrinted(seen.notes, printed));
    }
  };
}

async function printFirst(run: ListRun, ids: IdList, plan: ListPlan): Promise<void> {
  const { context, session, flags } = run;
  if (ids.size === 0) return;
  const input = envelopeInput(run, plan, session.connection.pageSize);
  await printEnvelope({ context, session, flags }, { operation: plan.operation, input });
  if (ids.size > 1) await note(context, flags, `the same would be sent for ${ids.size - 1} more relations`);
}

/**
 * Asks the same of many relations, some at once, and writes the rows in the order of the ids. Rows of lists begin with a
 * column that says which relation they belong to. An id that fails is reported on stderr, and the others are asked for.
 * Throws `partial` at the end when some failed, their own kind when all did, and at once what would fail for each of them.
 */
export async function runEach(run: ListRun, ids: IdList, wanted: PlanOf): Promise<void> {
  const planOf: PlanOf = async (id) => readablePlan(run.session, await wanted(id));
  const { context, session, flags } = run;
  const first = await planOf(ids.first?.id ?? '');
  if (flags.envelope) return printFirst(run, ids, first);
  const isRecord = showsRecord(first);
  const isOwned = !isRecord || asksOwner(flags.columns);
  const plan = isOwned ? owned(first) : first;
  const own = isRecord ? printedType(first) : itemType(first);
  const type = isOwned ? tagged(own) : own;
  const format = formatFor(context, session, { flags, record: type, shape: 'list' });
  const { plan: asked, columns, output } = await resolveList(run, plan, { type, format });
  const tally = failureTally(context, ids.size);
  const progress = openProgress(
    context,
    { quiet: flags.quiet || context.streams.out.isTerminal, progress: session.progress },
    { items: ids.size },
  );
  const printed = printedMembers(first);
  const source = sourceOf({ run, ids, planOf, isOwned, printed, where: asked.where, tally, progress });
  const lines = await writeCounted(run, { columns, request: output, source });
  for (const line of [...startNotes(first), ...nilNotes(run, format, output), ...lines])
    await note(context, flags, line);
  tally.end();
}
