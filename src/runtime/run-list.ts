import { tmpdir } from 'node:os';
import { readPages, type Claim } from '../client/pages.js';
import type { FetchPage, PagingPlan } from '../client/paging.js';
import type { SpillFile } from '../client/spilled-guids.js';
import { RelctlError } from '../errors/relctl-error.js';
import { openSpill } from '../files/spill.js';
import type { FormatName } from '../output/formats/index.js';
import { isRecord, type Note, type RecordValue } from '../soap/values.js';
import { printEnvelope } from './dry-run.js';
import { pagingOf } from './flags/paging.js';
import { collectNotes, note, warnOfNotes } from './notes.js';
import { exportList, isExport } from './export-list.js';
import type { Context } from './context.js';
import { columnPlan, type ColumnPlan } from './fields/columns.js';
import { exportSpooled, isSpooledExport } from './fields/spooled-export.js';
import { checkExportFlags, durationMs, prefetchOf } from './flags/export.js';
import { itemType, ownId, type ListPlan, type Place, type Walk } from './list-plan.js';
import { collectEarly } from './heap.js';
import { openProgress } from './progress.js';
import { formatFor, type OutputRequest } from './record-output.js';
import type { Session } from './session.js';
import { writeRows, type Write } from './write-rows.js';

/** The records of a list in a result. */
export function recordsOf(result: RecordValue, member: string): readonly RecordValue[] {
  const rows = result[member];
  if (!Array.isArray(rows)) return [];
  return rows.filter(isRecord);
}

function claimNotes(claim: Claim, what: string): string[] {
  const notes: string[] = [];
  if (claim.duplicates > 0) {
    notes.push(
      `${claim.duplicates} ${what} moved while the list was read; each was written once, others may be missing (see --consistent)`,
    );
  }
  if (claim.shifted)
    notes.push(
      `${what} moved since the export was interrupted; each was written once, others may be missing (see --consistent)`,
    );
  if (claim.ended === 'limit' && claim.more) notes.push(moreExist(what));
  return notes;
}

/** The list in words: `TelephoneBookEntries` are telephone book entries. */
const wordsOf = ({ shows }: ListPlan): string => shows.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** What is said of a list that was cut. */
export const moreExist = (what: string): string => `stopped at --limit: more ${what} exist`;

/** What is seen while a list is read. */
export interface Seen {
  readonly notes: Note[];
  /** First and last time of the service's clock. */
  readonly serverTimes: (string | undefined)[];
}

/** What fetches the pages of a list. */
export function fetchPages(session: Session, plan: ListPlan, { notes, serverTimes }: Seen): FetchPage {
  const { operation, input, shows, follow } = plan;
  return async (pageNumber, signal) => {
    const { pageSize } = session.connection;
    const askedMs = performance.now();
    const reply = await session.client.callUntyped(operation, { ...input, pageNumber, pageSize }, { signal });
    // The page before the first is looked at, not printed.
    if (pageNumber >= session.connection.firstPage) collectNotes(notes, reply.notes);
    serverTimes[0] ??= reply.serverDate;
    serverTimes[1] = reply.serverDate;
    await follow?.answered({ date: reply.serverDate, tookMs: performance.now() - askedMs });
    return { records: recordsOf(reply.result, shows), attempts: reply.attempts };
  };
}

/** A signal that is also aborted when the time is up. */
function withDeadline(signal: AbortSignal, deadlineMs: number | undefined): AbortSignal {
  if (deadlineMs === undefined) return signal;
  const controller = new AbortController();
  const late = new RelctlError('partial', 'stopped short by --deadline', { facts: { code: 'deadline' } });
  setTimeout(() => controller.abort(late), deadlineMs).unref();
  return AbortSignal.any([signal, controller.signal]);
}

/** A file for what a list takes too much memory for; closed with the list, or at the latest with the program. */
function spillFor(context: Context): SpillFile {
  const spill = openSpill(tmpdir());
  context.onClose(() => spill.close());
  return spill;
}

/** How the service of a session pages, as far as its profile knows. */
export function pagesOf({ connection, profile }: Session): Pick<PagingPlan, 'firstPage' | 'pageSize' | 'looksBefore'> {
  const { firstPage, pageSize } = connection;
  return { firstPage, pageSize, looksBefore: profile.values.firstPage?.origin.kind === 'default' };
}

function walkOf({ context, session, flags }: Place, plan: ListPlan, seen: Seen): Walk {
  const { idOf = ownId } = plan;
  collectEarly();
  const signal = withDeadline(context.signal, durationMs(flags.deadline, '--deadline'));
  const openFile = (): SpillFile => spillFor(context);
  const ahead = { prefetch: prefetchOf(flags), openSpill: openFile };
  const paging = { ...pagingOf(flags), ...ahead, ...pagesOf(session), idOf, signal };
  const walkWith =
    (input: RecordValue): Walk =>
    (resume) =>
      readPages(fetchPages(session, { ...plan, input }, seen), {
        ...paging,
        ...(resume === undefined ? {} : { resume }),
      });
  const walk = walkWith(plan.input);
  return plan.follow?.walk(walk, walkWith) ?? walk;
}

async function writePages(place: Place, plan: ListPlan, write: Write): Promise<string[]> {
  const { context, flags } = place;
  const seen: Seen = { notes: [], serverTimes: [] };
  const { out } = context.streams;
  // What reads along may use the terminal as well, as a pager does.
  const isShared = out.isTerminal || (out.isPipe && flags.progress !== true);
  const progress = openProgress(context, { ...flags, quiet: flags.quiet === true || isShared });
  const pages = walkOf(place, plan, seen)();
  let step = await pages.next();
  for (; step.done !== true; step = await pages.next()) {
    progress.page(step.value.records.length);
    await write(step.value.records);
  }
  await progress.end();
  await warnOfNotes(context, flags, seen.notes);
  return claimNotes(step.value, wordsOf(plan));
}

async function writeExport(
  place: Place,
  columns: ColumnPlan,
  request: { output: OutputRequest; format: FormatName },
): Promise<string[]> {
  const { plan } = columns;
  const seen: Seen = { notes: [], serverTimes: [] };
  const { idOf = ownId } = plan;
  const walk = walkOf(place, plan, seen);
  const exportRequest = { ...request, walk, idOf, serverTimes: seen.serverTimes };
  const claim = isSpooledExport(place, columns, request.format)
    ? await exportSpooled(place, columns, exportRequest)
    : await exportList(place, plan, exportRequest);
  await warnOfNotes(place.context, place.flags, seen.notes);
  return claimNotes(claim, wordsOf(plan));
}

async function writeWhole({ context, session, flags }: Place, plan: ListPlan, write: Write): Promise<string[]> {
  const { limit } = pagingOf(flags);
  const askedMs = performance.now();
  const reply = await session.client.callUntyped(plan.operation, plan.input);
  plan.check?.(reply.result);
  await plan.follow?.answered({ date: reply.serverDate, tookMs: performance.now() - askedMs });
  const all = recordsOf(reply.result, plan.shows);
  const records = plan.follow?.whole(all) ?? all;
  const isCut = limit !== undefined && records.length > limit;
  await write(isCut ? records.slice(0, limit) : records);
  await warnOfNotes(context, flags, reply.notes);
  return isCut ? [moreExist(wordsOf(plan))] : [];
}

/** The input of a list's first call. */
export function shownInput({ session, flags }: Place, { operation, input }: ListPlan): RecordValue {
  if (operation.paged === undefined) return input;
  const { firstPage, pageSize } = session.connection;
  return { ...input, pageNumber: pagingOf(flags).onlyPage ?? firstPage, pageSize };
}

/**
 * Fetches a list to its end, page by page where the operation has pages, and prints every record once (interface
 * document, Limits). Throws what the calls throw.
 */
export async function runList(place: Place, plan: ListPlan): Promise<void> {
  const { context, session, flags } = place;
  const { operation } = plan;
  if (flags['dry-run'] === true) {
    return printEnvelope(context, session.connection, { operation, input: shownInput(place, plan) });
  }
  checkExportFlags(flags);
  const type = itemType(plan);
  const format = formatFor(context, session, { flags, record: type, shape: 'list' });
  const columns = await columnPlan(place, plan, { format, type });
  const output: OutputRequest = { flags, record: columns.type, shape: 'list', table: columns.plan.table };
  const isFile = isExport(place, format) || isSpooledExport(place, columns, format);
  const source = (write: Write): Promise<string[]> =>
    (operation.paged === undefined ? writeWhole : writePages)(place, plan, write);
  const lines =
    operation.paged !== undefined && isFile
      ? await writeExport(place, columns, { output, format })
      : await writeRows(place, { columns, request: output, source });
  for (const line of lines) await note(context, flags, line);
  if (plan.follow === undefined) return;
  // A reader that went away has not got everything.
  context.signal.throwIfAborted();
  plan.follow.written();
}
