import type { Claim } from '../../client/pages.js';
import type { Exported, ExportPlan, ExportTarget, Fingerprint, MetaFacts } from './export-plan.js';
import { runExport } from './export-run.js';
import { refuseStaged } from './staging.js';
import type { FormatName } from '../../formats/writers/index.js';
import { callsOf, firstInput } from '../paging.js';
import { rendererFor } from '../rendering.js';
import { openWalk, type Seen } from '../source.js';
import { asTyped } from '../../formats/columns.js';
import { linesOf } from '../../kit/flags/csv.js';
import { commandOf } from '../../kit/host/environment.js';
import { note, noteInTerminal } from '../../kit/host/notes.js';
import { showWait, openProgress } from '../../kit/host/progress.js';
import type { Piece, Writer } from '../../formats/writers/format.js';
import { columnsFor, nilMembersIn, rowMaker, writerFor } from '../../kit/output/record-output.js';
import { warnOfUnregistered, registryFolder } from '../../kit/output/own-files.js';
import { idIn, outputFileOf, type ListRun } from '../plan.js';
import type { ResolvedList } from '../resolve.js';
import { rowsOf, textOfRows } from '../shape.js';
import { usage } from '../../core/errors/relctl-error.js';

function fingerprint(run: ListRun, { list, format }: ExportRequest): Fingerprint {
  const { flags } = run;
  return {
    ...callsOf(run, list.plan),
    format,
    columns: columnsFor(format, list.output).map(asTyped).join(','),
    style: JSON.stringify({
      ...linesOf(flags),
      header: !flags['no-header'],
      chosen: flags.columns !== undefined,
      ...list.lists,
    }),
  };
}

async function summary(
  { context, flags }: ListRun,
  file: string,
  { claim, bytes, isResumed, damagedPages, passes }: Exported,
): Promise<void> {
  await context.report({ rows: claim.rows });
  if (damagedPages > 0) {
    await note(context, flags, `${damagedPages} pages of the interrupted export were damaged; relctl read them again`);
  }
  const parts = [
    `${claim.rows} rows, ${claim.pages} pages, ${bytes} bytes to ${file}`,
    claim.duplicates > 0 ? `${claim.duplicates} duplicates dropped` : '',
    claim.retries > 0 ? `${claim.retries} retries` : '',
    isResumed ? 'resumed' : '',
    passes > 1 ? `${passes} passes` : '',
    claim.ended === 'empty page' ? '' : `ended by --${claim.ended === 'limit' ? 'limit' : 'page'}`,
  ];
  await noteInTerminal(context, flags, parts.filter((part) => part !== '').join(', '));
}

/** A list to export. */
export interface ExportRequest {
  readonly list: ResolvedList;
  readonly format: FormatName;
  readonly seen: Seen;
  readonly accept: (rows: number) => void;
}

/** What the exports of a list have in common: all that does not depend on columns and format. */
export type ExportBase = Pick<ExportPlan, 'target' | 'idOf' | 'list' | 'accept'> &
  Required<Pick<ExportPlan, 'progress'>>;

function targetOf({ context, flags }: ListRun): ExportTarget {
  const { resume = false, restart = false, consistent = false, force } = flags;
  if (resume && restart) throw usage('--restart', '--resume and --restart cannot be used together');
  const { signal, clock } = context;
  return {
    file: outputFileOf({ context, flags }) ?? '',
    registry: registryFolder(context),
    resume,
    restart,
    consistent,
    force,
    command: commandOf(context.environment),
    lock: { patienceMs: flags['lock-wait'] ?? 0, signal, onWait: (wait) => showWait(context, flags, wait) },
    startedAt: clock.date().toISOString(),
    nowMs: clock.nowMs,
  };
}

/** Gives what FILE.meta.json says besides the result; undefined when --meta was not given. */
export function metaOf(
  { context, session, flags, mirrored = [] }: ListRun,
  { list: { plan, output }, format, seen: { serverTimes } }: ExportRequest,
): (() => MetaFacts) | undefined {
  if (flags.meta !== true) return undefined;
  const nilMembers = nilMembersIn(format, output);
  return () => ({
    operation: plan.operation.name,
    parameters: firstInput(plan),
    profile: session.profile.name,
    url: session.connection.url,
    format,
    columns: columnsFor(format, output).map(({ title }) => title),
    ...(nilMembers.length === 0 ? {} : { leftNil: nilMembers }),
    ...(mirrored.length === 0 ? {} : { names: mirrored }),
    finishedAt: context.clock.date().toISOString(),
    serverTimes,
    version: context.version,
  });
}

/** Exports a list to the file of --output-file, with progress and summary. Throws `usage`, and what `write` throws. */
export async function exportBy(
  run: ListRun,
  { list: { plan, output }, accept }: ExportRequest,
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
    const target = targetOf(run);
    const exported = await write({ target, idOf: idIn(plan), list: output.list, accept, progress });
    await progress.end();
    if (exported.unregistered !== undefined) {
      await warnOfUnregistered(context, flags, { files: [target.file], failure: exported.unregistered });
    }
    await summary(run, target.file, exported);
    return exported.claim;
  } catch (thrown) {
    await progress.end();
    throw thrown;
  }
}

/** Exports a list to the file of --output-file so that it can be resumed. Throws what `runExport` throws. */
export async function exportList(run: ListRun, request: ExportRequest): Promise<Claim> {
  const { list, format, seen } = request;
  const { plan, output } = list;
  const { shape } = list.columns;
  const maker = rowMaker(await writerFor(run.context, output, { format, isContinued: true }), output.record);
  const form = maker === undefined ? 'json' : textOfRows(shape, maker);
  let writer: Writer<Piece> | undefined;
  const claim = await exportBy(run, request, async (base) => {
    await refuseStaged(base.target);
    return runExport({
      ...base,
      job: fingerprint(run, request),
      pages: openWalk(run, plan, { seen, renderer: rendererFor(run, plan, form) }),
      writer: async (before) =>
        (writer = await writerFor(run.context, output, {
          format,
          isContinued: before !== undefined && before.rows > 0,
        })),
      rows: (records) => rowsOf(shape, records),
      meta: metaOf(run, request),
    });
  });
  const below = writer?.note?.();
  if (below !== undefined) await note(run.context, run.flags, below);
  return claim;
}
