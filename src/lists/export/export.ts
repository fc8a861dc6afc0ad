import { type RecordValue, defined } from '../../core/values/value.js';
import type { Claim } from '../../client/pages.js';
import type { Fingerprint } from './journal.js';
import type { Exported, ExportPlan, MetaFacts } from './plan.js';
import { runExport } from './run.js';
import { refuseStaged } from './staging.js';
import { type FormatName, formats } from '../../formats/writers/index.js';
import { shellCommand } from '../../core/text/shell/command.js';
import { firstInput } from '../paging.js';
import { printing } from '../rendering.js';
import { openWalk, type Seen } from '../source.js';
import { asTyped } from '../../formats/columns.js';
import { linesOf } from '../../kit/flags/csv.js';
import { serviceOf } from '../../kit/session/session.js';
import { tellingFlags } from '../../kit/flags/define.js';
import type { ListShape } from '../list-members.js';
import { note } from '../../kit/host/notes.js';
import { showWait } from '../../kit/host/waiting.js';
import { openProgress, type Progress } from '../../kit/host/progress.js';
import type { Piece, Writer } from '../../formats/writers/format.js';
import { columnsFor, nilMembersIn, rowMaker, writerFor, type OutputRequest } from '../../kit/output/record-output.js';
import { warnOfUnregistered, tracesFolder } from '../../kit/output/own-files.js';
import { outputFileOf, rowsOf, type ResolvedPlan, type ListRun } from '../plan.js';
import { usage } from '../../core/errors/relctl-error.js';

/** True when a list goes to a file, in a format that can be resumed. */
export const isExport = (run: ListRun, format: FormatName): boolean =>
  outputFileOf(run) !== undefined && formats[format].isResumable;

const asText = (value: number | undefined): string | null => (value === undefined ? null : String(value));

/** The part of the fingerprint that says which calls are made. */
export function callsOf(
  { session, flags }: ListRun,
  plan: ResolvedPlan,
): Omit<Fingerprint, 'format' | 'columns' | 'looks'> {
  const { pageSize, firstPage } = session.connection;
  return {
    operation: plan.operation.name,
    parameters: JSON.stringify({ ...plan.input, limit: asText(flags.limit), page: asText(flags.page) }),
    ...serviceOf(session),
    pageSize,
    firstPage,
    flags: tellingFlags(flags),
    ...defined({ names: plan.names }),
  };
}

function fingerprint(
  run: ListRun,
  plan: ResolvedPlan,
  request: Pick<ExportRequest, 'output' | 'format' | 'lists'>,
): Fingerprint {
  const { flags } = run;
  const { output, format } = request;
  return {
    ...callsOf(run, plan),
    format,
    columns: columnsFor(format, output).map(asTyped).join(','),
    looks: JSON.stringify({
      ...linesOf(flags),
      header: !flags['no-header'],
      chosen: flags.columns !== undefined,
      ...request.lists,
    }),
  };
}

/** The command as it was typed, without --resume, --restart and some flags with their values, for an error message. */
export function commandOf({ context }: ListRun, without: readonly string[] = []): string {
  const words = context.environment.argv.filter(
    (word, at, all) =>
      word !== '--resume' &&
      word !== '--restart' &&
      !without.includes(word.split('=')[0] ?? '') &&
      !without.includes(all[at - 1] ?? ''),
  );
  return shellCommand(words);
}

async function summary(
  { context, flags }: ListRun,
  file: string,
  { claim, bytes, isResumed, damagedPages, passes }: Exported,
): Promise<void> {
  await context.report({ rows: claim.rows });
  if (damagedPages > 0) {
    await note(context, flags, `${damagedPages} pages of the interrupted export were damaged; they were read again`);
  }
  if (!context.streams.err.isTerminal) return;
  const parts = [
    `${claim.rows} rows, ${claim.pages} pages, ${bytes} bytes to ${file}`,
    claim.duplicates > 0 ? `${claim.duplicates} duplicates dropped` : '',
    claim.retries > 0 ? `${claim.retries} retries` : '',
    isResumed ? 'resumed' : '',
    passes > 1 ? `${passes} passes` : '',
    claim.ended === 'empty page' ? '' : `ended by --${claim.ended === 'limit' ? 'limit' : 'page'}`,
  ];
  await note(context, flags, parts.filter((part) => part !== '').join(', '));
}

/** What an export needs besides the plan of its list. */
export interface ExportRequest {
  readonly output: OutputRequest;
  readonly format: FormatName;
  readonly lists: ListShape;
  readonly seen: Seen;
  readonly idOf: (record: RecordValue) => string | undefined;
  /** Identifies a list that is read whole, as `wholeListOf` does; undefined for a part of a list. */
  readonly list: string | undefined;
  readonly accept: (rows: number) => void;
}

/** A plan of an export without what depends on columns and format. */
export type ExportBase = Omit<ExportPlan, 'job' | 'pages' | 'writer' | 'printed' | 'meta'>;

function targetOf(run: ListRun): string {
  const { flags } = run;
  if (flags.resume === true && flags.restart === true) {
    throw usage('--restart', '--resume and --restart exclude each other');
  }
  return outputFileOf(run) ?? '';
}

function baseOf(run: ListRun, { idOf, list, accept }: ExportRequest, progress: Progress): ExportBase {
  const { context, flags } = run;
  const file = targetOf(run);
  return {
    file,
    idOf,
    list,
    accept,
    consistent: flags.consistent === true,
    resume: flags.resume === true,
    restart: flags.restart === true,
    resumeCommand: commandOf(run),
    force: flags.force,
    lockWaitMs: flags['lock-wait'] ?? 0,
    onWait: (wait) => showWait(context, flags, wait),
    traces: tracesFolder(context),
    startedAt: context.clock.date().toISOString(),
    nowMs: context.clock.nowMs,
    signal: context.signal,
    onPage: ({ records }) => progress.page(records.length),
    onKept: (kept) => progress.kept(kept),
  };
}

/** Gives what FILE.meta.json says besides the result; undefined when --meta was not given. */
export function metaOf(
  { context, session, flags, mirrored = [] }: ListRun,
  plan: ResolvedPlan,
  { output, format, seen: { serverTimes } }: Pick<ExportRequest, 'output' | 'format' | 'seen'>,
): (() => MetaFacts) | undefined {
  if (flags.meta !== true) return undefined;
  const leftNil = nilMembersIn(format, output);
  return () => ({
    operation: plan.operation.name,
    parameters: firstInput(plan),
    profile: session.profile.name,
    url: session.connection.url,
    format,
    columns: columnsFor(format, output).map(({ title }) => title),
    ...(leftNil.length === 0 ? {} : { leftNil }),
    ...(mirrored.length === 0 ? {} : { names: mirrored }),
    finishedAt: context.clock.date().toISOString(),
    serverTimes,
    version: context.version,
  });
}

/** Exports a list to the file of --output-file, with progress and summary. Throws `usage`, and what `write` throws. */
export async function exportBy(
  run: ListRun,
  request: ExportRequest,
  write: (base: ExportBase) => Promise<Exported>,
): Promise<Claim> {
  const { context, session, flags } = run;
  const { expect, quiet } = flags;
  const progress = openProgress(
    context,
    { quiet, progress: session.progress },
    { rows: expect?.isLeast === false ? expect.rows : undefined },
  );
  try {
    const base = baseOf(run, request, progress);
    const exported = await write(base);
    await progress.end();
    if (exported.unregistered !== undefined) {
      await warnOfUnregistered(context, flags, { files: [base.file], failure: exported.unregistered });
    }
    await summary(run, base.file, exported);
    return exported.claim;
  } catch (thrown) {
    await progress.end();
    throw thrown;
  }
}

/** Exports a list to the file of --output-file so that it can be resumed. Throws what `runExport` throws. */
export async function exportList(run: ListRun, plan: ResolvedPlan, request: ExportRequest): Promise<Claim> {
  const { output, format } = request;
  const meta = metaOf(run, plan, request);
  const maker = rowMaker(await writerFor(run.context, output, { format, isContinued: true }), output.record);
  const pages = openWalk(run, plan, { seen: request.seen, form: maker === undefined ? 'json' : printing(plan, maker) });
  let writer: Writer<Piece> | undefined;
  const claim = await exportBy(run, request, async (base) => {
    await refuseStaged(base);
    return runExport({
      ...base,
      job: fingerprint(run, plan, request),
      pages,
      writer: async (kept) =>
        (writer = await writerFor(run.context, output, { format, isContinued: kept !== undefined && kept.rows > 0 })),
      printed: (records) => rowsOf(plan, records),
      ...defined({ meta }),
    });
  });
  const below = writer?.note?.();
  if (below !== undefined) await note(run.context, run.flags, below);
  return claim;
}
