import { setMaxListeners } from 'node:events';
import { recordOfRow } from '../../../client/rows/row.js';
import { RelctlError, usage } from '../../../core/errors/relctl-error.js';
import { note, noteInTerminal } from '../../../kit/host/notes.js';
import { firstMoment } from '../../../core/text/time/moment.js';
import { openProgress, seconds, type Progress } from '../../../kit/host/progress.js';
import { endOfTime, concurrencyOf } from '../../../lists/list-flags.js';
import type { Pace } from '../../../client/pace.js';
import { openPace, rateOf, type Session } from '../../../kit/session/session.js';
import { callsOf } from '../../../lists/paging.js';
import { OpenStart } from '../../../lists/open-start.js';
import type { ListPlan, ListRun } from '../../../lists/plan.js';
import { drain, readBeside } from '../../../lists/source.js';
import { tableOf, type SyncCounts, type SourceState } from '../../../mirror/sources.js';
import type { RelationCursor, EachRelation } from '../../../mirror/each-relation.js';
import type { Mirror } from '../../../mirror/mirror.js';
import { isRestless } from '../../../mirror/pass-state.js';
import { planOf, type SyncRun } from './sync.js';

const mostReadings = 3;

/**
 * How far a period begins before the time when a relation was asked for last: longer than a call takes, and than the time
 * between the stamp of a change and the moment when other calls see it.
 */
const overlapMs = 600_000;

function startOf(throughMs: number): string {
  const startMs = throughMs - overlapMs;
  return startMs < Date.parse(`${firstMoment}Z`) ? firstMoment : new Date(startMs).toISOString().replace('.000Z', 'Z');
}

function paced(session: Session, pace: Pace, signal: AbortSignal): Session {
  const { client } = session;
  const callUntyped: typeof client.callUntyped = async (...call) => {
    await pace.turn(signal);
    return client.callUntyped(...call);
  };
  return { ...session, client: { connection: client.connection, call: client.call.bind(client), callUntyped } };
}

interface Work {
  readonly run: ListRun;
  readonly source: SourceState;
  readonly each: EachRelation;
  readonly signal: AbortSignal;
  readonly open: OpenStart;
}

/** What is asked for one relation; the first answer tells the service's clock when it was asked. */
interface Asking {
  readonly plan: ListPlan;
  readonly answered: (date: string | undefined, tookMs: number) => void;
  /** Undefined for a service that does not say its time: it is asked for everything again. */
  atMs?: number | undefined;
}

function planFor({ source, open }: Work, relation: string, fromMs: number | undefined): Asking {
  const base = planOf(source);
  const begin = base.input['from'];
  const isOpen = fromMs === undefined && typeof begin !== 'string';
  const since = fromMs === undefined ? begin : startOf(fromMs);
  const from = typeof since === 'string' ? since : open.from;
  let isFirst = true;
  const asking: Asking = {
    plan: {
      ...base,
      request: { ...base.request, start: isOpen ? open : undefined },
      input: { ...base.input, relationId: relation, from, to: endOfTime },
    },
    answered(date = '', tookMs) {
      const answeredAt = Date.parse(date);
      if (isFirst && Number.isFinite(answeredAt)) asking.atMs = answeredAt - Math.ceil(tookMs);
      isFirst = false;
    },
  };
  return asking;
}

async function readOnce({ run, each, signal }: Work, relation: string, { plan, answered }: Asking): Promise<boolean> {
  const claim = await drain(() => readBeside(run, plan, { answered, signal }), {
    take: ({ records }) => each.store(relation, records.map(recordOfRow)),
  });
  return isRestless(claim, 'id');
}

async function syncRelation(work: Work, { relation, throughMs }: RelationCursor): Promise<void> {
  let from = throughMs;
  for (let reading = 1; ; reading += 1) {
    const asking = planFor(work, relation, from);
    const moved = await readOnce(work, relation, asking);
    const isBack = from !== undefined && asking.atMs !== undefined && asking.atMs < from - overlapMs;
    if (!moved && !isBack) {
      work.each.storeCursor({ relation, throughMs: asking.atMs });
      return;
    }
    // What moved may not have been shown: the same period is asked for the next time too.
    if (reading === mostReadings) {
      work.each.storeCursor({ relation, throughMs });
      return;
    }
    // The service's clock was set back: what changed since may lie before the period.
    if (isBack) from = undefined;
  }
}

async function syncRelations(work: Work, relations: readonly RelationCursor[], progress: Progress): Promise<number> {
  let unknown = 0;
  const waiting = relations.values();
  const one = async (cursor: RelationCursor): Promise<void> => {
    try {
      await syncRelation(work, cursor);
    } catch (thrown) {
      if (RelctlError.from(thrown).kind !== 'not-found') throw thrown;
      unknown += 1;
      work.each.storeCursor(cursor);
    }
    progress.item();
  };
  const lane = async (): Promise<void> => {
    for (const relationCursor of waiting) {
      work.signal.throwIfAborted();
      await one(relationCursor);
    }
  };
  await Promise.all(Array.from({ length: concurrencyOf(work.run.flags) }, lane));
  return unknown;
}

function estimate({ name }: SourceState, count: number, rate: number): string {
  const time = rate === Infinity ? '' : `, ${seconds((count * 1000) / rate)} or more at ${rate} a second`;
  return `${name}: ${count} relations to read, with one or more calls each${time}`;
}

/** True for a source that is asked for relation by relation. */
export const isOfEachRelation = (source: Pick<SourceState, 'table' | 'own'>): boolean =>
  Object.hasOwn(tableOf(source).operation.parameters, 'relationId');

/**
 * Syncs a source that is asked for relation by relation: what changed since each was asked for, with an overlap, because a
 * change may be seen later than its stamp says. Throws `usage` where no relations are mirrored, what the calls throw, and
 * `local`; what came is kept, and the next sync goes on with the other relations.
 */
export async function syncEachRelation(
  { context, session, flags }: SyncRun,
  mirror: Mirror,
  source: SourceState,
): Promise<SyncCounts> {
  const relations = mirror.sources().find(({ table }) => table === 'relations');
  if (relations?.syncedAt === undefined) {
    throw usage('TABLE', `${source.name} reads each relation of the mirror, and the mirror has none`, {
      hint: 'relctl mirror sync relations',
    });
  }
  const stopping = new AbortController();
  const signal = AbortSignal.any([context.signal, stopping.signal]);
  // Each relation that is asked for at the moment listens.
  setMaxListeners(0, signal);
  const rate = rateOf(session);
  const run: ListRun = { context, session: paced(session, openPace(context, flags, rate), signal), flags };
  const calls = JSON.stringify(callsOf(run, planOf(source)));
  const each = mirror.openEachRelation(source, { startedAt: context.clock.date().toISOString(), calls });
  const waiting = each.waiting();
  await noteInTerminal(context, flags, estimate(source, waiting.length, rate));
  const progress = openProgress(context, { quiet: flags.quiet, progress: session.progress }, { items: waiting.length });
  try {
    const unknown = await syncRelations({ run, source, each, signal, open: new OpenStart() }, waiting, progress);
    await progress.end();
    if (unknown > 0)
      await note(context, flags, `${source.name}: the service does not know ${unknown} relations of the mirror`);
    return each.end(context.clock.date().toISOString());
  } finally {
    stopping.abort();
    await progress.end();
  }
}
