import type { CallOptions } from '../client/call.js';
import type { OverflowFile } from '../client/ids/overflow-guids.js';
import { listIn, wholeListIn } from '../client/list-answer.js';
import { readPages } from '../client/pages.js';
import type { FetchPage } from '../client/paging.js';
import { released, type Renderer } from '../client/rows/renderer.js';
import { isBlank, recordOf, RenderedRow, type Row } from '../client/rows/row.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { defined } from '../core/values/value.js';
import { collectNotes } from '../kit/host/notes.js';
import { nilMembersNote } from '../formats/left-nil.js';
import type { FormatName } from '../formats/writers/index.js';
import { nilMembersIn, type OutputRequest } from '../kit/output/record-output.js';
import { showSlow } from '../kit/host/waiting.js';
import { watchFilled, type FilledWatch } from '../kit/session/filled.js';
import type { Rows } from '../soap/codec/decode-bytes.js';
import type { Note } from '../soap/codec/notes.js';
import { concurrencyOf } from './list-flags.js';
import { filteredWalk } from './filter.js';
import { callList, type ListCall, pageSizes, pagesOf, passLimit, readLimit } from './paging.js';
import {
  idIn,
  nilMembers,
  withHolderMembers,
  type ResolvedPlan,
  type Condition,
  type ListRun,
  type Walk,
  type WholeRows,
} from './plan.js';
import { needsDropped, overflowFor, rendererFor, type RowForm } from './rendering.js';

/**
 * True where columns that the service leaves nil are told of: those that were asked for, and all of them where a person looks. A
 * script that takes every column as it is has no need of a note each time.
 */
const reportsNil = ({ context, flags }: Omit<ListRun, 'session'>): boolean =>
  flags.columns !== undefined || context.streams.err.isTerminal;

/** Notes about what is printed that the service leaves nil in the list, and did leave nil in all records of this run. */
export function nilNotes(run: ListRun, format: FormatName, output: OutputRequest): readonly string[] {
  const members = nilMembersIn(format, output).filter((name) => !run.session.seen.has(name));
  return reportsNil(run) && members.length > 0 ? [nilMembersNote(members)] : [];
}

/** What is collected while a list is read. */
export interface Seen {
  readonly notes: Note[];
  /** The service's clock at the first and the last answer. */
  readonly serverTimes: (string | undefined)[];
}

interface Fetching extends Pick<ListCall, 'answered'> {
  readonly seen?: Seen;
  readonly renderer?: Renderer | undefined;
  /** The page size may be too large: a call that takes too long is not repeated. */
  readonly isTrial?: boolean;
}

/** What becomes of the records of one answer, as `rendererFor` says; where a watch is, it sees each before. */
function rowsBy(renderer: Renderer, { shows, holders = [] }: ResolvedPlan, watch: FilledWatch | undefined): () => Rows {
  return () => {
    const { bytes, of, ...others } = renderer.page();
    const path = [...holders, shows];
    if (watch === undefined) return { path, of, ...others, ...defined({ bytes }) };
    // Without `bytes` the records are decoded.
    return { path, ...others, of: (record) => (watch.see(record), of(record)) };
  };
}

/** Watches the records of a list for members that it leaves nil; undefined where nothing could be found, or kept. */
const watchOf = ({ context, session }: Omit<ListRun, 'flags'>, plan: ResolvedPlan): FilledWatch | undefined =>
  watchFilled(
    context,
    session,
    nilMembers(plan).map(([name]) => name),
  );

/** The same error, with what makes a page smaller where its list has too many items and pages have a size. */
function withPageAdvice(thrown: unknown, { shows, holders = [], paging }: ResolvedPlan): RelctlError {
  const error = RelctlError.from(thrown);
  const { code, path } = error.facts;
  if (code !== 'answer-limit' || path !== [...holders, shows].join('.') || paging?.hasSize === false) return error;
  return error.but({ advice: 'Ask for smaller pages: --set pageSize=N.' });
}

/** Makes the function that fetches the pages of a list. */
export function fetchPages(
  { context, session, flags }: ListRun,
  plan: ResolvedPlan,
  { seen: { notes, serverTimes } = { notes: [], serverTimes: [] }, renderer, answered, isTrial = false }: Fetching = {},
): FetchPage {
  const { operation, shows, holders = [] } = plan;
  const path = [...holders, shows];
  context.collectGarbage();
  const filled = watchOf({ context, session }, plan);
  let isFirst = true;
  return async (pageNumber, call, pageSize) => {
    // What stands on a later page only must not be called nil.
    const watch = isFirst || reportsNil({ context, flags }) ? filled : undefined;
    const options = { ...call, endsWhenSlow: isTrial, ...defined({ rows: renderer && rowsBy(renderer, plan, watch) }) };
    const over = isFirst ? showSlow(context, flags, 'the first page') : undefined;
    isFirst = false;
    const page = { number: pageNumber, size: pageSize };
    const reply = await callList(session, plan, { page, options, ...defined({ answered }) })
      .catch((thrown: unknown) => {
        throw withPageAdvice(thrown, plan);
      })
      .finally(() => over?.());
    // The page before the first is fetched to find out how the service counts, and is not printed.
    if (pageNumber >= session.connection.firstPage) collectNotes(notes, reply.notes);
    serverTimes[0] ??= reply.serverDate;
    serverTimes[1] = reply.serverDate;
    const list = listIn(operation, reply.result, path);
    await watch?.keep(list.records);
    return { ...list, attempts: reply.attempts };
  };
}

function withDeadline(signal: AbortSignal, deadlineMs: number | undefined): AbortSignal {
  if (deadlineMs === undefined) return signal;
  const controller = new AbortController();
  const timedOut = new RelctlError('partial', 'stopped short by --deadline', { facts: { code: 'deadline' } });
  setTimeout(() => controller.abort(timedOut), deadlineMs).unref();
  return AbortSignal.any([signal, controller.signal]);
}

/** True for the rows that --where keeps. */
export function rowFilter(run: ListRun, plan: ResolvedPlan, { keeps }: Condition): (row: Row) => boolean {
  const isLater = needsDropped(run, plan);
  // What was rendered was asked then, where what is dropped is not needed.
  return (row) => (row instanceof RenderedRow && !isLater ? !isBlank(row) : keeps(recordOf(row)));
}

interface Reading {
  readonly seen?: Seen;
  readonly form?: RowForm | undefined;
  /** Rows that the whole list had when it was read last, where that is known. */
  readonly rowsBefore?: number;
}

function wholeWalk(run: ListRun, plan: ResolvedPlan, { seen, form, rowsBefore }: Reading): Walk {
  const { context, session, flags } = run;
  const paging = {
    ...pagesOf(session, plan.operation),
    ...defined({ limit: readLimit(run), onlyPage: flags.page, rowsBefore }),
    prefetch: concurrencyOf(flags),
    openOverflow: (): OverflowFile => overflowFor(context),
    idOf: idIn(plan),
    signal: withDeadline(context.signal, flags.deadline),
  };
  const renderer = form && rendererFor(run, plan, form);
  const fetching = { renderer, ...defined({ seen }) };
  const sizesFor = pageSizes(run, plan);
  const walk: Walk = (resume) => {
    const size = sizesFor(fetchPages(run, plan, { ...fetching, isTrial: true }), resume);
    const pages = readPages(fetchPages(run, plan, fetching), { ...paging, ...size, ...defined({ resume }) });
    return renderer === undefined ? pages : released(pages, renderer);
  };
  return plan.middleware?.walk(walk) ?? walk;
}

/** The pages of a list, of what --where keeps, up to --limit. */
export function openWalk(run: ListRun, plan: ResolvedPlan, reading: Reading = {}): Walk {
  const walk = wholeWalk(run, plan, reading);
  if (plan.where === undefined) return walk;
  return filteredWalk(walk, { keeps: rowFilter(run, plan, plan.where), limit: passLimit(run), idOf: idIn(plan) });
}

/** How an operation without pages is read. */
interface WholeReading extends Pick<ListCall, 'answered'> {
  readonly renderer?: Renderer | undefined;
}

/** Calls an operation without pages, and gives the records to write. Throws what the call and the plan throw. */
export async function readWhole(
  listRun: Omit<ListRun, 'flags'>,
  plan: ResolvedPlan,
  { renderer, answered, ...options }: CallOptions & WholeReading = {},
): Promise<WholeRows> {
  const watch = watchOf(listRun, plan);
  const rows = renderer && rowsBy(renderer, plan, undefined);
  const reply = await callList(listRun.session, plan, {
    options: { ...options, ...defined({ rows }) },
    ...defined({ answered }),
  });
  plan.check?.(reply.result);
  // For a snapshot an empty list means that all records are gone, and for a relation that none of it changed.
  const mayBeAbsent = plan.middleware === undefined && answered === undefined;
  const { records: all, notes } = wholeListIn(plan, reply.result, mayBeAbsent);
  await watch?.keep(all);
  const { records, notes: lost } = withHolderMembers(plan.middleware?.whole(all) ?? all, plan, reply.result);
  // A run from a snapshot usually finds nothing new: a note about that would make cron send a mail.
  return { records, notes: [...reply.notes, ...notes, ...(plan.middleware === undefined ? lost : [])] };
}
