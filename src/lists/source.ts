import { isWatched } from '../formats/streams.js';
import type { OverflowFile } from '../client/ids/id-set.js';
import { listIn, wholeListIn } from '../client/list-answer.js';
import { readPages, type Claim, type Page } from '../client/pages.js';
import { noTotals, totalsAfter, type FetchPage, type WalkState } from '../client/paging.js';
import { released, type Renderer } from '../client/rows/renderer.js';
import { contentsOf, type Row } from '../client/rows/row.js';
import { signatureOf } from '../client/walk.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { defined } from '../core/values/value.js';
import { collectNotes } from '../kit/host/notes.js';
import { nilMembersNote } from '../formats/columns.js';
import type { FormatName } from '../formats/writers/index.js';
import { nilMembersIn, type OutputRequest } from '../kit/output/record-output.js';
import { type Progress, showSlow } from '../kit/host/progress.js';
import { watchFilled, type FilledWatch } from '../kit/session/filled.js';
import type { Rows } from '../soap/codec/rows.js';
import type { Note } from '../soap/codec/notes.js';
import { concurrencyOf } from './list-flags.js';
import { callList, type ListCall, pageSizes, pagesOf, passLimit, readLimit } from './paging.js';
import {
  hasMiddleware,
  idIn,
  listPath,
  nilMembers,
  ownId,
  withHolderMembers,
  type ListMiddleware,
  type ListRun,
  type ResolvedPlan,
  type Walk,
} from './plan.js';
import { overflowFor, rowFilter } from './rendering.js';

/**
 * True where columns that the service leaves nil are told of: those that were asked for, and all of them where a person looks. A
 * script that takes every column as it is has no need of a note each time.
 */
const reportsNil = ({ context, flags }: Omit<ListRun, 'session'>): boolean =>
  flags.columns !== undefined || isWatched(context.streams.err);

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

/** Nothing was collected yet. */
export const newSeen = (): Seen => ({ notes: [], serverTimes: [] });

interface Fetching extends Pick<ListCall, 'answered'> {
  readonly seen?: Seen | undefined;
  readonly renderer?: Renderer | undefined;
  /** Called when the only call of a list without pages is over. */
  readonly called?: () => Promise<void>;
}

/** What becomes of the records of one answer, as `rendererFor` says; where a watch is, it sees each before. */
function rowsBy(renderer: Renderer, plan: ResolvedPlan, watch: FilledWatch | undefined): () => Rows {
  return () => {
    const { text, of, ...others } = renderer.page();
    const path = listPath(plan);
    if (watch === undefined) return { path, of, ...others, ...defined({ text }) };
    return { path, ...others, of: (record) => (watch.see(record), of(record)) };
  };
}

/** Watches the records of a list for members that it leaves nil; undefined where nothing could be found, or kept. */
const watchOf = ({ context, session }: ListRun, plan: ResolvedPlan): FilledWatch | undefined =>
  watchFilled(
    context,
    session,
    nilMembers(plan).map(([name]) => name),
  );

/** The same error, with what makes a page smaller where its list has too many items and pages have a size. */
function withPageAdvice(thrown: unknown, plan: ResolvedPlan): RelctlError {
  const error = RelctlError.from(thrown);
  const { code, path } = error.facts;
  const hasSize = plan.request?.page?.hasSize !== false;
  if (code !== 'answer-limit' || path !== listPath(plan).join('.') || !hasSize) return error;
  return error.but({ advice: 'Request smaller pages: --set pageSize=N.' });
}

/**
 * Makes the function that fetches the pages of a list.
 * @param isTrial the page size may be too large: a call that takes too long is not repeated
 */
function fetchPages(
  { context, session, flags }: ListRun,
  plan: ResolvedPlan,
  { seen = newSeen(), renderer, answered, isTrial = false }: Fetching & { readonly isTrial?: boolean },
): FetchPage {
  const { notes, serverTimes } = seen;
  context.collectGarbage();
  const filled = watchOf({ context, session, flags }, plan);
  let isFirst = true;
  return async (pageNumber, call, pageSize) => {
    // What stands on a later page only must not be called nil.
    const watch = isFirst || reportsNil({ context, flags }) ? filled : undefined;
    const options = { ...call, endsWhenSlow: isTrial, ...defined({ rows: renderer && rowsBy(renderer, plan, watch) }) };
    const over = isFirst ? showSlow(context, flags, 'the first page') : undefined;
    isFirst = false;
    const page = { number: pageNumber, size: pageSize };
    const reply = await callList(session, plan, { page, options, answered })
      .catch((thrown: unknown) => {
        throw withPageAdvice(thrown, plan);
      })
      .finally(() => over?.());
    // The page before the first is fetched to find out how the service counts, and is not printed.
    if (pageNumber >= session.connection.firstPage) collectNotes(notes, reply.notes);
    serverTimes[0] ??= reply.serverDate;
    serverTimes[1] = reply.serverDate;
    const list = listIn(plan.operation, reply.result, listPath(plan));
    await watch?.keep(list.records);
    return { ...list, attempts: reply.attempts };
  };
}

/** The list of an operation without pages, as its only page. Throws what the call and the check of the plan throw. */
async function* onlyPage(
  run: ListRun,
  plan: ResolvedPlan,
  { seen = newSeen(), renderer, answered, signal, called }: Fetching & { readonly signal?: AbortSignal | undefined },
): AsyncGenerator<Page, Claim> {
  const { operation, shows, answer } = plan;
  const watch = watchOf(run, plan);
  const rows = renderer && rowsBy(renderer, plan, undefined);
  const reply = await callList(run.session, plan, { options: defined({ signal, rows }), answered }).finally(called);
  answer?.check?.(reply.result);
  // For a snapshot an empty list means that all records are gone, and for a relation that none of it changed.
  const mayBeAbsent = !hasMiddleware(run) && answered === undefined;
  const all = wholeListIn({ operation, shows, ...answer }, reply.result, mayBeAbsent);
  await watch?.keep(all.records);
  const { records, notes } = withHolderMembers(all.records, plan, reply.result);
  collectNotes(seen.notes, [...reply.notes, ...all.notes, ...notes]);
  const signature = signatureOf(contentsOf(records));
  yield { number: 1, records, duplicates: 0, signature, retries: 0 };
  return { ...noTotals, pages: 1, rows: records.length, ended: 'empty page', shifted: false, more: false };
}

function withDeadline(signal: AbortSignal, deadlineMs: number | undefined): AbortSignal {
  if (deadlineMs === undefined) return signal;
  const controller = new AbortController();
  const timedOut = new RelctlError('partial', 'stopped by --deadline', { facts: { code: 'deadline' } });
  setTimeout(() => controller.abort(timedOut), deadlineMs).unref();
  return AbortSignal.any([signal, controller.signal]);
}

interface Reading {
  readonly seen?: Seen;
  /** What makes rows of the records while they are decoded, as `rendererFor` gives it. */
  readonly renderer?: Renderer | undefined;
  /** Rows that the whole list had when it was read last, where that is known. */
  readonly rowsBefore?: number;
}

function wholeWalk(run: ListRun, plan: ResolvedPlan, { rowsBefore, ...fetching }: Reading): Walk {
  const { context, session, flags } = run;
  const { renderer } = fetching;
  if (plan.operation.paged === undefined) {
    return () => {
      context.collectGarbage();
      return onlyPage(run, plan, { ...fetching, called: showSlow(context, flags, 'the list') });
    };
  }
  const paging = {
    ...pagesOf(session, plan.operation),
    ...defined({ limit: readLimit(run), onlyPage: flags.page, rowsBefore }),
    prefetch: concurrencyOf(flags),
    openOverflow: (): OverflowFile => overflowFor(context),
    idOf: idIn(plan),
    signal: withDeadline(context.signal, flags.deadline),
  };
  const sizesFor = pageSizes(run, plan);
  return (resume) => {
    const size = sizesFor(fetchPages(run, plan, { ...fetching, isTrial: true }), resume);
    const pages = readPages(fetchPages(run, plan, fetching), { ...paging, ...size, ...defined({ resume }) });
    return renderer === undefined ? pages : released(pages, renderer);
  };
}

/** The pages of one list of many that are read at the same time: none is fetched ahead. The signal ends its calls. */
export function readBeside(
  run: ListRun,
  plan: ResolvedPlan,
  { signal, ...fetching }: Fetching & { readonly signal: AbortSignal },
): AsyncGenerator<Page, Claim> {
  if (plan.operation.paged === undefined) return onlyPage(run, plan, { ...fetching, signal });
  const paging = { ...pagesOf(run.session), prefetch: 0, idOf: idIn(plan), signal };
  return readPages(fetchPages(run, plan, fetching), paging);
}

/** The pages without the rows that --where drops; --limit counts the others. */
async function* filtered(
  run: ListRun,
  plan: ResolvedPlan,
  { walk, from }: { readonly walk: Walk; readonly from: WalkState | undefined },
): AsyncGenerator<Page, Claim> {
  const keeps = rowFilter(run, plan);
  const limit = passLimit(run) ?? Number.POSITIVE_INFINITY;
  // Whether a record behind the page passes is not known, and may take the whole list to find out.
  let more = plan.operation.paged !== undefined;
  let totals = from ?? noTotals;
  const pages = walk(from);
  try {
    while (totals.rows < limit) {
      const step = await pages.next();
      if (step.done === true) {
        const { rows, firstId, lastId } = totals;
        return { ...step.value, rows, firstId, lastId };
      }
      const passing = step.value.records.filter(keeps);
      const page = { ...step.value, records: passing.slice(0, limit - totals.rows) };
      more ||= page.records.length < passing.length;
      totals = totalsAfter(totals, page, idIn(plan));
      yield page;
    }
    return { ...totals, ended: 'limit', shifted: false, more };
  } finally {
    await pages.return(undefined as never);
  }
}

/** The pages of a list, of what --where keeps, up to --limit. */
export function openWalk(run: ListRun, plan: ResolvedPlan, reading: Reading = {}): Walk {
  const whole = wholeWalk(run, plan, reading);
  const isWhole = plan.operation.paged === undefined;
  const isFiltered = plan.where !== undefined || (isWhole && passLimit(run) !== undefined);
  const filter: Pick<ListMiddleware, 'walk'> = { walk: (walk) => (from) => filtered(run, plan, { walk, from }) };
  const layers = [...(run.middleware ?? []), ...(isFiltered ? [filter] : [])];
  return layers.reduce((inner, layer) => layer.walk(inner), whole);
}

/** Batches of rows as pages, up to a limit. */
export async function* asPages(
  batches: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Page, Claim> {
  let totals = noTotals;
  for await (const batch of batches) {
    const records = batch.slice(0, limit - totals.rows);
    const page = { number: totals.pages + 1, records, duplicates: 0, signature: '', retries: 0 };
    totals = totalsAfter(totals, page, ownId);
    yield page;
    if (records.length < batch.length) return { ...totals, ended: 'limit', shifted: false, more: true };
  }
  return { ...totals, ended: 'empty page', shifted: false, more: false };
}

/** Where the pages of a list go. */
export interface PageSink {
  /** Where an earlier run stopped. */
  readonly resume?: WalkState | undefined;
  /** Takes a page. Throws what writing it throws. */
  take(page: Page): Promise<void> | void;
}

/** Passes all pages of a walk on. What the sink throws ends the calls that are under way. */
export async function drain(walk: Walk, sink: PageSink, progress?: Pick<Progress, 'page'>): Promise<Claim> {
  const pages = walk(sink.resume);
  try {
    for (;;) {
      const step = await pages.next();
      if (step.done === true) return step.value;
      await sink.take(step.value);
      progress?.page(step.value.records.length);
    }
  } finally {
    await pages.return(undefined as never);
  }
}
