import type { Claim } from '../client/pages.js';
import type { FormatName } from '../formats/writers/index.js';
import { printEnvelope } from '../kit/calls/envelope.js';
import { note, notesOfPrinted, warnOfNotes } from '../kit/host/notes.js';
import { callsOf, commandOf, exportList, isExport } from './export/export.js';
import { refuseShrink } from './export/shrink.js';
import { firstSize, passLimit, printedOf, envelopeInput } from './paging.js';
import { rendererFor } from './rendering.js';
import type { ColumnPlan } from './fields/columns.js';
import { exportStaged, isStagedExport } from './export/staged-export.js';
import { withExcelOf } from '../kit/flags/csv.js';
import { checkExpected, checkExportFlags } from './list-flags.js';
import { resolveList } from './filter.js';
import type { ListShape } from './list-members.js';
import { idIn, itemType, outputFileOf, printedMembers, readablePlan, type ResolvedPlan, type ListRun } from './plan.js';
import { tracesFolder } from '../kit/output/own-files.js';
import { rowsIn, targetOf } from '../state/output-registry.js';
import { openProgress } from '../kit/host/progress.js';
import { showSlow } from '../kit/host/waiting.js';
import { formatFor, type OutputRequest } from '../kit/output/record-output.js';
import { nilNotes, openWalk, readWhole, rowFilter, type Seen } from './source.js';
import { writeRows, type Rows, type Sink, type Source } from './write-rows.js';

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
const wordsOf = ({ shows }: ResolvedPlan): string => shows.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** The note about a list that --limit ended. */
export const moreExist = (what: string): string => `stopped at --limit: more ${what} exist`;

const moreMayPass = (what: string): string => `stopped at --limit: the ${what} behind were not looked at`;

async function writePages(run: ListRun, plan: ResolvedPlan, { write, form }: Sink): Promise<string[]> {
  const { context, session, flags } = run;
  const seen: Seen = { notes: [], serverTimes: [] };
  const { out } = context.streams;
  // The reader of stdout may use the terminal as well, as a pager does.
  const isShared = out.isTerminal || (out.isPipe && !session.progress);
  const progress = openProgress(context, { quiet: flags.quiet || isShared, progress: session.progress });
  const pages = openWalk(run, plan, { seen, form })();
  let step = await pages.next();
  for (; step.done !== true; step = await pages.next()) {
    progress.page(step.value.records.length);
    await write(step.value.records);
  }
  await progress.end();
  await warnOfNotes(context, flags, notesOfPrinted(seen.notes, printedMembers(plan)));
  return claimNotes(step.value, wordsOf(plan), plan.where !== undefined);
}

async function writeExport(
  run: ListRun,
  columns: ColumnPlan<ResolvedPlan>,
  request: { output: OutputRequest; format: FormatName; lists: ListShape },
): Promise<string[]> {
  const { plan } = columns;
  const seen: Seen = { notes: [], serverTimes: [] };
  const { list } = request.output;
  const accept = acceptRows(run, { list, isResumable: true });
  const exportRequest = { ...request, seen, idOf: idIn(plan), list, accept };
  const isStaged = isStagedExport(run, columns, request.format);
  const claim = isStaged ? await exportStaged(run, columns, exportRequest) : await exportList(run, plan, exportRequest);
  await warnOfNotes(run.context, run.flags, notesOfPrinted(seen.notes, printedMembers(plan)));
  return claimNotes(claim, wordsOf(plan), plan.where !== undefined);
}

async function writeWhole(run: ListRun, plan: ResolvedPlan, { write, form }: Sink): Promise<string[]> {
  const { context, flags } = run;
  const limit = passLimit(run);
  context.collectGarbage();
  const over = showSlow(context, flags, 'the list');
  const renderer = form && rendererFor(run, plan, form);
  const { records: all, notes } = await readWhole(run, plan, { renderer }).finally(over);
  const records = plan.where === undefined ? all : all.filter(rowFilter(run, plan, plan.where));
  const isCut = limit !== undefined && records.length > limit;
  await write(isCut ? records.slice(0, limit) : records);
  await warnOfNotes(context, flags, notesOfPrinted(notes, printedMembers(plan)));
  return isCut ? [moreExist(wordsOf(plan))] : [];
}

const partFlags: ReadonlySet<string> = new Set([
  'limit',
  'page',
  'changes-since',
  'ids',
  'from',
  'to',
  'where',
  'query',
]);

/** Operation, service and parameters of a list as one text; undefined when a part of it is asked for. */
function wholeListOf(run: ListRun, plan: ResolvedPlan): string | undefined {
  const isPart = Object.entries(run.flags).some(([name, value]) => partFlags.has(name) && value !== undefined);
  if (isPart || plan.middleware !== undefined) return undefined;
  const { operation, parameters, url, namespace, database } = callsOf(run, plan);
  return JSON.stringify({ operation, parameters, url, namespace, database });
}

/**
 * Makes the check of a list's number of rows: it must be the one of --expect, and not too much smaller than in the file that
 * is replaced. The check throws `partial`.
 * @param isResumable true for an export that can be resumed: the hint says so
 */
function acceptRows(
  run: ListRun,
  { list, isResumable }: { readonly list: string | undefined; readonly isResumable: boolean },
): (rows: number) => void {
  const { context, flags } = run;
  return (read) => {
    const now = printedOf(run, read);
    checkExpected(flags, now);
    const named = outputFileOf(run);
    if (named === undefined) return;
    const file = targetOf(named);
    const before = list === undefined ? undefined : rowsIn(tracesFolder(context), file, list);
    if (before === undefined) return;
    const again = `${commandOf(run, ['--max-shrink'])}${isResumable ? ' --resume' : ''}`;
    const shrink = { before, now, mostPercent: flags['max-shrink'] };
    refuseShrink(shrink, `${file}, as relctl wrote it,`, (flag) => `${again} ${flag}`);
  };
}

/** A source whose number of rows is checked at its end, before the output is finished. */
function counted(source: Source, accept: (rows: number) => void): Source {
  return async ({ write, form }) => {
    let rows = 0;
    const counting: Sink['write'] = (records) => {
      rows += records.length;
      return write(records);
    };
    const lines = await source({ write: counting, form });
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
export const startNotes = ({ start }: ResolvedPlan): readonly string[] =>
  start?.note === undefined ? [] : [start.note];

/** The same run, with --restart where middleware does not let an export be resumed. */
function runFor(run: ListRun, { middleware }: ResolvedPlan): ListRun {
  if (middleware === undefined || outputFileOf(run) === undefined) return run;
  return { ...run, flags: { ...run.flags, resume: false, restart: true } };
}

/**
 * Fetches a list to its end, page by page where the operation has pages, and prints every record once (interface
 * document, Limits). Throws `usage`, `local` and `partial`, and what the calls and the middleware throw.
 */
export async function runList(listRun: ListRun, resolvedPlan: ResolvedPlan): Promise<void> {
  const listPlan = readablePlan(listRun.session, resolvedPlan);
  const begun = runFor(listRun, listPlan);
  const { context, session } = begun;
  const { operation } = listPlan;
  const type = itemType(listPlan);
  const format = formatFor(context, session, { flags: begun.flags, record: type, shape: 'list' });
  const run = { ...begun, flags: withExcelOf(begun.flags, session, format) };
  const { flags } = run;
  if (flags.envelope) {
    const input = envelopeInput(run, listPlan, firstSize(run, listPlan));
    return printEnvelope({ context, session, flags }, { operation, input });
  }
  checkExportFlags(flags);
  const { plan, columns, lists, output } = await resolveList(run, listPlan, { type, format });
  const list = wholeListOf(run, plan);
  const request: OutputRequest = { ...output, isOnce: plan.middleware !== undefined, list };
  const isFile = isExport(run, format) || isStagedExport(run, columns, format);
  const source: Source = (sink) => (operation.paged === undefined ? writeWhole : writePages)(run, plan, sink);
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
