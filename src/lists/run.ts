import { isWatched } from '../formats/streams.js';
import type { Claim } from '../client/pages.js';
import { printEnvelope } from '../kit/calls/envelope.js';
import { note, notesOfPrinted, warnOfNotes } from '../kit/host/notes.js';
import { exportList } from './export/export.js';
import { refuseShrink } from './export/shrink.js';
import { callsOf, firstSize, printedOf, envelopeInput } from './paging.js';
import { commandOf } from '../kit/host/environment.js';
import { exportStaged, isStagedExport } from './export/staged-export.js';
import { withExcelOf } from '../kit/flags/csv.js';
import { checkExpected, checkExportFlags } from './list-flags.js';
import { formats, type FormatName } from '../formats/writers/index.js';
import { resolveList, type ResolvedList } from './resolve.js';
import {
  hasMiddleware,
  itemType,
  outputFileOf,
  printedMembers,
  readablePlan,
  type ListPlan,
  type ResolvedPlan,
  type ListRun,
} from './plan.js';
import { registryFolder } from '../kit/output/own-files.js';
import { rowsIn, targetOf } from '../state/output-registry.js';
import { openProgress, type Progress } from '../kit/host/progress.js';
import { formatFor, type OutputRequest } from '../kit/output/record-output.js';
import { rendererFor } from './rendering.js';
import { newSeen, nilNotes, openWalk } from './source.js';
import { writeRows, type Written } from './write-rows.js';

/** The note about a list that --limit cut. */
export const moreNotes = ({ more }: Claim, what: string): readonly string[] =>
  more ? [`stopped at --limit: more ${what} exist`] : [];

function claimNotes(claim: Claim, { shows, operation, where }: ResolvedPlan): readonly string[] {
  // `TelephoneBookEntries` are telephone book entries.
  const what = shows.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  const notes: string[] = [];
  if (claim.duplicates > 0) {
    notes.push(
      `${claim.duplicates} ${what} moved while relctl read the list; it wrote each once, and others may be missing (see --consistent)`,
    );
  }
  if (claim.changed > 0) {
    notes.push(`${claim.changed} ${what} came twice with different content; relctl wrote both`);
  }
  if (claim.shifted)
    notes.push(`${what} moved or changed since the export was interrupted; others may be missing (see --consistent)`);
  if (claim.ended !== 'limit') return notes;
  const isKnown = where === undefined || operation.paged === undefined;
  return [
    ...notes,
    ...(isKnown ? moreNotes(claim, what) : [`stopped at --limit: relctl did not read the remaining ${what}`]),
  ];
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

/** Operation, service and parameters of a list in a file, as one text; undefined when a part of it is asked for. */
function wholeListOf(run: ListRun, plan: ResolvedPlan): string | undefined {
  if (outputFileOf(run) === undefined) return undefined;
  const isPart = Object.entries(run.flags).some(([name, value]) => partFlags.has(name) && value !== undefined);
  if (isPart || hasMiddleware(run)) return undefined;
  const { operation, parameters, url, namespace, database } = callsOf(run, plan);
  return JSON.stringify({ operation, parameters, url, namespace, database });
}

/**
 * Makes the check of a list's number of rows: it must be the one of --expect, and not too much smaller than in the file that
 * is replaced. The check throws `partial`.
 * @param isResumable true for an export that can be resumed: the hint says so
 */
export function acceptRows(
  run: ListRun,
  { list, isResumable = false }: { readonly list: string | undefined; readonly isResumable?: boolean },
): (rows: number) => void {
  const { context, flags } = run;
  return (read) => {
    const now = printedOf(run, read);
    checkExpected(flags, now);
    const named = outputFileOf(run);
    if (named === undefined) return;
    const file = targetOf(named);
    const before = list === undefined ? undefined : rowsIn(registryFolder(context), file, list);
    if (before === undefined) return;
    const again = `${commandOf(context.environment, ['--max-shrink'])}${isResumable ? ' --resume' : ''}`;
    const shrink = { before, now, mostPercent: flags['max-shrink'] };
    refuseShrink(shrink, `${file}, written by relctl,`, (flag) => `${again} ${flag}`);
  };
}

/** Notes about the start of the period. */
export function startNotes({ request }: ListPlan): readonly string[] {
  const text = request?.start?.note;
  return text === undefined ? [] : [text];
}

/** The same run, with --restart where middleware does not let an export be resumed. */
function runFor(run: ListRun): ListRun {
  if (!hasMiddleware(run) || outputFileOf(run) === undefined) return run;
  return { ...run, flags: { ...run.flags, resume: false, restart: true } };
}

/** Tells how far a list with pages is, unless the reader of stdout may use the terminal as well, as a pager does. */
function progressOf({ context, session, flags }: ListRun, { operation }: ListPlan): Progress | undefined {
  const { out } = context.streams;
  const isShared = isWatched(out) || (out.isPipe && !session.progress);
  return operation.paged === undefined
    ? undefined
    : openProgress(context, { quiet: flags.quiet || isShared, progress: session.progress });
}

/** What exports a list to a file that can be resumed or needs all records first; undefined for any other output. */
function exporterFor(run: ListRun, { plan, columns }: ResolvedList, format: FormatName) {
  if (plan.operation.paged === undefined || outputFileOf(run) === undefined) return undefined;
  if (isStagedExport(run.flags, columns, format)) return exportStaged;
  // Others are begun again when they were interrupted.
  return formats[format].isResumable ? exportList : undefined;
}

async function writeList(run: ListRun, list: ResolvedList, format: FormatName): Promise<Written> {
  const { plan, columns, output } = list;
  const seen = newSeen();
  const exportRows = exporterFor(run, list, format);
  const accept = acceptRows(run, { list: output.list, isResumable: exportRows !== undefined });
  const warn = (): Promise<void> =>
    warnOfNotes(run.context, run.flags, notesOfPrinted(seen.notes, printedMembers(plan)));
  if (exportRows !== undefined) {
    const claim = await exportRows(run, { list, format, seen, accept });
    await warn();
    return { claim, notes: [] };
  }
  const progress = progressOf(run, plan);
  return writeRows(run, {
    columns,
    request: output,
    source: (form) => openWalk(run, plan, { seen, renderer: rendererFor(run, plan, form) }),
    accept,
    progress,
    async onRead() {
      await progress?.end();
      await warn();
    },
  });
}

/**
 * Fetches a list to its end, page by page where the operation has pages, and prints every record once (interface
 * document, Limits). Throws `usage`, `local` and `partial`, and what the calls and the middleware throw.
 */
export async function runList(listRun: ListRun, resolvedPlan: ListPlan): Promise<void> {
  const listPlan = readablePlan(listRun.session, resolvedPlan);
  const running = runFor(listRun);
  const { context, session, middleware = [] } = running;
  const { operation } = listPlan;
  const type = itemType(listPlan);
  const format = formatFor(context, session, { flags: running.flags, record: type, shape: 'list' });
  const run = { ...running, flags: withExcelOf(running.flags, session, format) };
  const { flags } = run;
  if (flags.envelope) {
    const input = envelopeInput(run, listPlan, firstSize(run, listPlan));
    return printEnvelope({ context, session, flags }, { operation, input });
  }
  checkExportFlags(flags);
  const resolved = await resolveList(run, listPlan, { type, format });
  const { plan } = resolved;
  const list = wholeListOf(run, plan);
  const request: OutputRequest = { ...resolved.output, isOnce: hasMiddleware(running), list };
  const { claim, notes } = await writeList(run, { ...resolved, output: request }, format);
  for (const line of [
    ...startNotes(plan),
    ...nilNotes(run, format, resolved.output),
    ...claimNotes(claim, plan),
    ...notes,
  ])
    await note(context, flags, line);
  // When the reader of stdout closed it, it has not got everything.
  if (hasMiddleware(run)) context.signal.throwIfAborted();
  for (const each of middleware) each.written();
}
