import { type RecordValue, defined } from '../core/values/value.js';
import type { CallOptions } from '../client/call.js';
import { listIn, wholeListIn, type WholeList } from '../client/list-answer.js';
import { readPages, type Claim } from '../client/pages.js';
import type { FetchPage } from '../client/paging.js';
import type { OverflowFile } from '../client/ids/overflow-guids.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import type { FormatName } from '../formats/writers/index.js';
import type { Note } from '../soap/codec/notes.js';
import { printEnvelope } from '../kit/calls/envelope.js';
import { collectNotes, note, notesOfPrinted, warnOfNotes } from '../kit/host/notes.js';
import { exportList, rendererOf, isExport } from './export/export.js';
import { callList, firstSize, pageSizes, pagesOf, passLimit, readLimit, shownInput } from './paging.js';
import { counterOf, keeperOf, needsDropped, rowsBy, stagingRenderer } from './rendering.js';
import type { ColumnPlan } from './fields/columns.js';
import { exportStaged, isStagedExport } from './export/staged-export.js';
import { withExcelOf } from '../kit/flags/csv.js';
import { checkExportFlags, concurrencyOf } from './list-flags.js';
import { overflowFor } from './overflow.js';
import { askList, filteredWalk } from './filter.js';
import { isNilTold, nilNotes, seenBy, watchOf } from './left-nil.js';
import type { ListShape } from './list-members.js';
import {
  idIn,
  itemType,
  outputFileOf,
  printedMembers,
  readablePlan,
  withBeside,
  type ListPlan,
  type ListRun,
  type Walk,
} from './plan.js';
import { openProgress } from '../kit/host/progress.js';
import { showSlow } from '../kit/host/waiting.js';
import { formatFor, type OutputRequest } from '../kit/output/record-output.js';
import { isBlank, placeOf, readBack } from '../client/rows/rendered.js';
import { released, type Renderer } from '../client/rows/renderer.js';
import { acceptRows, wholeListOf } from './whole-list.js';
import { writeRows, type Rows, type Source, type Write } from './write-rows.js';

function claimNotes(claim: Claim, what: string, isFiltered: boolean): string[] {
  const notes: string[] = [];
  if (claim.duplicates > 0) {
    notes.push(
      `${claim.duplicates} ${what} moved while the list was read; each was written once, others may be missing (see --consistent)`,
    );
  }
  if (claim.changed > 0) {
    notes.push(`${claim.changed} ${what} came again with other content; both are written`);
  }
  if (claim.shifted)
    notes.push(`${what} moved or changed since the export was interrupted; others may be missing (see --consistent)`);
  if (claim.ended === 'limit' && claim.more) notes.push(isFiltered ? moreMayPass(what) : moreExist(what));
  return notes;
}

/** The list in words: `TelephoneBookEntries` are telephone book entries. */
const wordsOf = ({ shows }: ListPlan): string => shows.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** The note about a list that --limit ended. */
export const moreExist = (what: string): string => `stopped at --limit: more ${what} exist`;

const moreMayPass = (what: string): string => `stopped at --limit: the ${what} behind were not looked at`;

/** What is collected while a list is read. */
export interface Seen {
  readonly notes: Note[];
  /** The service's clock at the first and the last answer. */
  readonly serverTimes: (string | undefined)[];
  /** Renders the records while they are decoded. */
  readonly renderer?: Renderer | undefined;
}

/** How the pages of a list are fetched. */
interface Fetching extends Seen {
  /** The page size may be too large: a call that takes too long is not repeated. */
  readonly isTrial?: boolean;
}

/** The same error, with what makes a page smaller where its list has too many items and pages have a size. */
function withPageAdvice(thrown: unknown, { shows, holders = [], paging }: ListPlan): RelctlError {
  const error = RelctlError.from(thrown);
  const { code, path } = error.facts;
  if (code !== 'answer-limit' || path !== [...holders, shows].join('.') || paging?.hasSize === false) return error;
  return error.but({ advice: 'Ask for smaller pages: --set pageSize=N.' });
}

/** Makes the function that fetches the pages of a list. */
export function fetchPages(
  { context, session, flags }: ListRun,
  plan: ListPlan,
  { notes, serverTimes, renderer, isTrial = false }: Fetching,
): FetchPage {
  const { operation, shows, holders = [] } = plan;
  const path = [...holders, shows];
  context.collectGarbage();
  const rows = renderer && rowsBy(renderer, plan);
  const filled = watchOf({ context, session }, plan);
  let isFirst = true;
  return async (pageNumber, call, pageSize) => {
    // What stands on a later page only must not be called nil.
    const watch = isFirst || isNilTold({ context, flags }) ? filled : undefined;
    const options = { ...call, endsWhenSlow: isTrial, ...defined({ rows: rows && seenBy(watch, rows) }) };
    const over = isFirst ? showSlow(context, flags, 'the first page') : undefined;
    isFirst = false;
    const page = { number: pageNumber, size: pageSize };
    const reply = await callList(session, plan, { page, options })
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

/** A signal that is also aborted when the time is up. */
function withDeadline(signal: AbortSignal, deadlineMs: number | undefined): AbortSignal {
  if (deadlineMs === undefined) return signal;
  const controller = new AbortController();
  const timedOut = new RelctlError('partial', 'stopped short by --deadline', { facts: { code: 'deadline' } });
  setTimeout(() => controller.abort(timedOut), deadlineMs).unref();
  return AbortSignal.any([signal, controller.signal]);
}

function walkOf(run: ListRun, plan: ListPlan, seen: Seen): Walk {
  const walk = wholeWalkOf(run, plan, seen);
  const keeps = keepsOf(run, plan);
  return keeps === undefined ? walk : filteredWalk(walk, { keeps, limit: passLimit(run), idOf: idIn(plan) });
}

/** What --where keeps of the records of a plan, some of which were rendered. */
function keepsOf(run: ListRun, plan: ListPlan): ListPlan['keeps'] {
  const { keeps } = plan;
  const isAsked = needsDropped(run, plan) ? () => false : (record: RecordValue) => placeOf(record) !== undefined;
  // What was rendered was asked then, where what is dropped is not needed.
  return keeps && ((record) => (isAsked(record) ? !isBlank(record) : keeps(readBack(record))));
}

/** The walk without --where. */
function wholeWalkOf(run: ListRun, plan: ListPlan, seen: Seen): Walk {
  const { context, session, flags } = run;
  const idOf = idIn(plan);
  const signal = withDeadline(context.signal, flags.deadline);
  const openFile = (): OverflowFile => overflowFor(context);
  const ahead = { prefetch: concurrencyOf(flags), openOverflow: openFile };
  const paging = {
    ...defined({ limit: readLimit(run), onlyPage: flags.page }),
    ...ahead,
    ...pagesOf(session, plan.operation),
    ...defined({ rowsBefore: plan.rowsBefore }),
    idOf,
    signal,
  };
  const sizesFor = pageSizes(run, plan);
  const walk: Walk = (resume) => {
    const size = sizesFor(fetchPages(run, plan, { ...seen, isTrial: true }), resume);
    const pages = readPages(fetchPages(run, plan, seen), { ...paging, ...size, ...defined({ resume }) });
    return seen.renderer === undefined ? pages : released(pages, seen.renderer);
  };
  return plan.middleware?.walk(walk) ?? walk;
}

/**
 * Opens the walk of a list whose records are not printed. Oddities of the answers are told by what reads them, if at all.
 * @param renderer renders the records while they are decoded
 */
export const openWalk = (run: ListRun, plan: ListPlan, renderer?: Renderer): Walk =>
  walkOf(run, plan, { notes: [], serverTimes: [], renderer });

/** Where the records of a list go. */
interface Writing {
  readonly write: Write;
  /** Renders them while they are decoded. */
  readonly renderer: Renderer | undefined;
}

async function writePages(run: ListRun, plan: ListPlan, { write, renderer }: Writing): Promise<string[]> {
  const { context, session, flags } = run;
  const seen: Seen = { notes: [], serverTimes: [], renderer };
  const { out } = context.streams;
  // The reader of stdout may use the terminal as well, as a pager does.
  const isShared = out.isTerminal || (out.isPipe && !session.progress);
  const progress = openProgress(context, { quiet: flags.quiet || isShared, progress: session.progress });
  const pages = walkOf(run, plan, seen)();
  let step = await pages.next();
  for (; step.done !== true; step = await pages.next()) {
    progress.page(step.value.records.length);
    await write(step.value.records);
  }
  await progress.end();
  await warnOfNotes(context, flags, notesOfPrinted(seen.notes, printedMembers(plan)));
  return claimNotes(step.value, wordsOf(plan), plan.keeps !== undefined);
}

async function writeExport(
  run: ListRun,
  columns: ColumnPlan<ListPlan>,
  request: { output: OutputRequest; format: FormatName; lists: ListShape },
): Promise<string[]> {
  const { plan } = columns;
  const isStaged = isStagedExport(run, columns, request.format);
  const renderer =
    (isStaged ? stagingRenderer(run, plan) : await rendererOf(run, plan, request)) ?? keeperOf(run, plan);
  const seen: Seen = { notes: [], serverTimes: [], renderer };
  const walk = walkOf(run, plan, seen);
  const { list } = request.output;
  const accept = acceptRows(run, { list, isResumable: true });
  const exportRequest = { ...request, walk, renderer, idOf: idIn(plan), serverTimes: seen.serverTimes, list, accept };
  const claim = isStaged ? await exportStaged(run, columns, exportRequest) : await exportList(run, plan, exportRequest);
  await warnOfNotes(run.context, run.flags, notesOfPrinted(seen.notes, printedMembers(plan)));
  return claimNotes(claim, wordsOf(plan), plan.keeps !== undefined);
}

/** Calls an operation without pages, and gives the records to write. Throws what the call and the plan throw. */
export async function readWhole(
  place: Omit<ListRun, 'flags'>,
  plan: ListPlan,
  options: CallOptions = {},
): Promise<WholeList> {
  const watch = watchOf(place, plan);
  const reply = await callList(place.session, plan, { options });
  plan.check?.(reply.result);
  // For a snapshot an empty list means that all records are gone, and for a relation that none of it changed.
  const mayBeAbsent = plan.middleware === undefined && plan.answered === undefined;
  const { records: all, notes } = wholeListIn(plan, reply.result, mayBeAbsent);
  plan.came?.(all);
  await watch?.keep(all);
  const { records, notes: lost } = withBeside(plan.middleware?.whole(all) ?? all, plan, reply.result);
  // A run from a snapshot usually finds nothing new: a note about that would make cron send a mail.
  return { records, notes: [...reply.notes, ...notes, ...(plan.middleware === undefined ? lost : [])] };
}

async function writeWhole(run: ListRun, plan: ListPlan, { write, renderer }: Writing): Promise<string[]> {
  const { context, flags } = run;
  const limit = passLimit(run);
  const keeps = keepsOf(run, plan);
  context.collectGarbage();
  const over = showSlow(context, flags, 'the list');
  const rows = renderer && rowsBy(renderer, plan);
  const { records: all, notes } = await readWhole(run, plan, defined({ rows })).finally(over);
  const records = keeps === undefined ? all : all.filter(keeps);
  const isCut = limit !== undefined && records.length > limit;
  await write(isCut ? records.slice(0, limit) : records);
  await warnOfNotes(context, flags, notesOfPrinted(notes, printedMembers(plan)));
  return isCut ? [moreExist(wordsOf(plan))] : [];
}

/** Stands for a record of which nothing is left but that it counts. */
const nothing: RecordValue = {};

/** A source whose number of rows is checked at its end, before the output is finished. */
function counted(source: Source, accept: (rows: number) => void): Source {
  return async (write, renderer) => {
    let rows = 0;
    const counting: Write = (records) => {
      rows += records.length;
      return write(records);
    };
    const lines = await source(counting, renderer);
    accept(rows);
    return lines;
  };
}

/**
 * Writes rows as they come, to stdout or to a file that appears when it is complete, and checks their number. Throws what
 * `writeRows` throws, and `partial` for a number of rows that is refused.
 */
export async function writeCounted(run: ListRun, rows: Rows): Promise<readonly string[]> {
  const { request, source } = rows;
  const accept = acceptRows(run, { list: request.list, isResumable: false });
  if (outputFileOf(run) !== undefined) return writeRows(run, { ...rows, source: counted(source, accept) });
  // Rows on stdout are written to the end, whatever their number.
  let count = 0;
  const lines = await writeRows(run, { ...rows, source: counted(source, (all) => (count = all)) });
  accept(count);
  return lines;
}

/** Notes about the start of the period. */
export const startNotes = ({ start }: ListPlan): readonly string[] => (start?.note === undefined ? [] : [start.note]);

/** The same run, with --restart where middleware does not let an export be resumed. */
function runFor(run: ListRun, { middleware }: ListPlan): ListRun {
  if (middleware === undefined || outputFileOf(run) === undefined) return run;
  return { ...run, flags: { ...run.flags, resume: false, restart: true } };
}

/**
 * Fetches a list to its end, page by page where the operation has pages, and prints every record once (interface
 * document, Limits). Throws `usage`, `local` and `partial`, and what the calls and the middleware throw.
 */
export async function runList(given: ListRun, wanted: ListPlan): Promise<void> {
  const asked = readablePlan(given.session, wanted);
  const begun = runFor(given, asked);
  const { context, session } = begun;
  const { operation } = asked;
  const type = itemType(asked);
  const format = formatFor(context, session, { flags: begun.flags, record: type, shape: 'list' });
  const run = { ...begun, flags: withExcelOf(begun.flags, session, format) };
  const { flags } = run;
  if (flags.envelope) {
    const input = shownInput(run, asked, firstSize(run, asked));
    return printEnvelope({ context, session, flags }, { operation, input });
  }
  checkExportFlags(flags);
  const { plan, columns, lists, output } = await askList(run, asked, { type, format });
  const list = wholeListOf(run, plan);
  const request: OutputRequest = { ...output, isOnce: plan.middleware !== undefined, list };
  const isFile = isExport(run, format) || isStagedExport(run, columns, format);
  const source: Source = (write, made) => {
    const counter = counterOf(run, plan);
    const count: Write = (records) => write(records.map(() => nothing));
    const writing = counter === undefined ? { write, renderer: made } : { write: count, renderer: counter };
    return (operation.paged === undefined ? writeWhole : writePages)(run, plan, writing);
  };
  const lines =
    operation.paged !== undefined && isFile
      ? await writeExport(run, columns, { output: request, format, lists })
      : await writeCounted(run, { columns, request, source });
  for (const line of [...startNotes(plan), ...nilNotes(run, format, output), ...lines])
    await note(context, flags, line);
  if (plan.middleware === undefined) return;
  // When the reader of stdout closed it, it has not got everything.
  context.signal.throwIfAborted();
  plan.middleware.written();
}
