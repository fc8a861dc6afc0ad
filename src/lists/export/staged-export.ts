import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { RecordValue } from '../../core/values/value.js';
import { recordBatches } from '../../core/values/batches.js';
import type { Collector } from '../../formats/query/questions.js';
import { moreSorted, openOutput, askingOf, needsAllRecords } from '../../kit/output/open-output.js';
import type { Claim, Page } from '../../client/pages.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { differences, type Fingerprint, readJournal } from './journal.js';
import { checkMeta, writeMeta } from './meta.js';
import { checkReplaceable, targetOf } from '../../state/output-registry.js';
import { filesOf, lockOf, type Exported } from './plan.js';
import { throwAway } from './resume-state.js';
import { runExport } from './run.js';
import { readToStagingFile, removeStagingFile, stagedBatches, stagingLine, type StagedList } from './staging.js';
import { withLock } from '../../state/locks/lock.js';
import type { Piece, Writer } from '../../formats/writers/format.js';
import { type FormatName, formats } from '../../formats/writers/index.js';
import { callsOf, exportBy, metaOf, type ExportBase, type ExportRequest } from './export.js';
import { printedOf } from '../paging.js';
import { openWalk } from '../source.js';
import { outputFileOf, rowsOf, type ResolvedPlan, type ListRun } from '../plan.js';
import { note } from '../../kit/host/notes.js';
import { writerFor, type OutputRequest } from '../../kit/output/record-output.js';
import { fieldIds, type ColumnPlan, type FieldPlan } from '../fields/columns.js';
import { unlistedNote, openUnlistedFile, type UnlistedFile } from '../unlisted-fields.js';

/** True when a list goes to a file through a staging file: all records decide what is printed, or on its columns. */
export function isStagedExport(run: ListRun, { plan, fields }: ColumnPlan<ResolvedPlan>, format: FormatName): boolean {
  if (plan.operation.paged === undefined || outputFileOf(run) === undefined) return false;
  const { layout } = formats[format];
  return needsAllRecords(run.flags) || (fields !== undefined && (layout === 'cells' || layout === 'tree'));
}

interface Rendering {
  readonly run: ListRun;
  readonly base: ExportBase;
  readonly job: Fingerprint;
  readonly staging: StagedList;
  readonly columns: ColumnPlan<ResolvedPlan>;
  readonly request: ExportRequest;
}

/** The ids that get columns: those that were looked up, else those that the records have. */
function columnIds({ staging }: Rendering, fields: FieldPlan<ResolvedPlan>): Iterable<string> {
  if (fields.known !== undefined) return fields.known;
  const ids = new Map<string, string>();
  for (const batch of stagedBatches(staging))
    for (const id of batch.flatMap(fieldIds)) if (!ids.has(id.toLowerCase())) ids.set(id.toLowerCase(), id);
  return ids.values();
}

/** The batches of a staging file. Signals are handled between them. */
async function* batchesOf(
  { staging, base }: Rendering,
  unlisted: UnlistedFile | undefined,
): AsyncGenerator<readonly RecordValue[], void> {
  for (const records of stagedBatches(staging)) {
    await setImmediate();
    base.signal.throwIfAborted();
    unlisted?.add(records);
    yield records;
  }
  await unlisted?.finish();
}

type Print = (records: readonly RecordValue[]) => readonly RecordValue[];

/** The same as they are printed, in the order of --sort. */
async function* sortedBatches(
  batches: AsyncGenerator<readonly RecordValue[], void>,
  collector: Collector,
  printed: Print,
): AsyncGenerator<readonly RecordValue[], void> {
  for await (const records of batches) collector.add(printed(records));
  const outcome = collector.outcome();
  if (outcome.kind === 'records') yield* recordBatches(outcome.records, 500);
}

async function* stagedPages(
  { run, base, staging }: Rendering,
  batches: AsyncGenerator<readonly RecordValue[], void>,
): AsyncGenerator<Page, Claim> {
  let number = 0;
  const ids: string[] = [];
  for await (const records of batches) {
    number += 1;
    ids.push(...[records[0], records.at(-1)].flatMap((record) => (record && base.idOf(record)) ?? []));
    yield { number, records, duplicates: 0, signature: '', retries: 0 };
  }
  const { claim } = staging;
  if (run.flags.sort === undefined) return claim;
  return { ...claim, rows: printedOf(run, claim.rows), firstId: ids[0], lastId: ids.at(-1) };
}

interface Rendered {
  readonly exported: Exported;
  readonly output: OutputRequest;
  readonly unlisted: UnlistedFile | undefined;
}

/** What is printed of the staged records, and its columns. */
function outputOf(rendering: Rendering): { readonly plan: ResolvedPlan; readonly output: OutputRequest } {
  const { columns, request } = rendering;
  const { plan, type } = columns.fields?.with(columnIds(rendering, columns.fields)) ?? columns;
  return { plan, output: { ...request.output, record: type, table: plan.table } };
}

async function answered(rendering: Rendering): Promise<Rendered> {
  const { run, staging, base } = rendering;
  const { context, session } = run;
  const { plan, output } = outputOf(rendering);
  const answer = await openOutput(context, session, output);
  for await (const records of batchesOf(rendering, undefined)) await answer.write(rowsOf(plan, records));
  await answer.finish();
  const { size } = statSync(base.file);
  const exported = { ...staging, bytes: size, sha256: '', damagedPages: 0 };
  return { output, unlisted: undefined, exported };
}

/**
 * What is written of the staging file, how it is taken, and what sorts it where --sort asks for that: what is sorted is converted
 * before.
 */
async function written(
  rendering: Rendering,
  { plan, output }: ReturnType<typeof outputOf>,
  unlisted: UnlistedFile | undefined,
) {
  const { flags, context } = rendering.run;
  const batches = batchesOf(rendering, unlisted);
  const printed: Print = (records) => rowsOf(plan, records);
  const asking = flags.sort === undefined ? undefined : await askingOf(rendering.run, output);
  const collector = asking?.collector;
  if (collector === undefined) return { batches, printed, collector };
  context.onClose(() => collector.close());
  return {
    batches: sortedBatches(batches, collector, printed),
    printed: (rows: readonly RecordValue[]) => rows,
    collector,
  };
}

/** The second pass: from the staging file to the file, without a call. It is never resumed. */
async function rendered(rendering: Rendering): Promise<Rendered> {
  const { run, base, job, columns, request, staging } = rendering;
  const shown = outputOf(rendering);
  const { output } = shown;
  const { format } = request;
  const unlisted = columns.fields && (await openUnlistedFile(run, base, columns.fields));
  let writer: Writer<Piece> | undefined;
  try {
    const { batches, printed, collector } = await written(rendering, shown, unlisted);
    const exported = await runExport({
      ...base,
      // Progress was shown when the list was read.
      onPage: () => undefined,
      job,
      pages: () => stagedPages(rendering, batches),
      // A second pass begins anew each time.
      writer: async () => (writer = await writerFor(run.context, output, { format })),
      printed,
      consistent: false,
      resume: false,
      restart: true,
    });
    const below = writer?.note?.();
    if (below !== undefined) await note(run.context, run.flags, below);
    if (collector?.isCut === true) await note(run.context, run.flags, moreSorted);
    const { startedAt, passes, isResumed } = staging;
    return { output, unlisted, exported: { ...exported, startedAt, passes, isResumed } };
  } catch (thrown) {
    // A value that the format cannot write would stop each later run as well.
    if (RelctlError.from(thrown).kind === 'usage') {
      removeStagingFile(staging.file);
      throwAway(base.file);
    }
    throw thrown;
  } finally {
    unlisted?.close();
  }
}

/** Throws `partial` when another export to the same file was interrupted: the second pass would remove it. */
function refuseOther({ file, restart, resumeCommand }: ExportBase, job: Fingerprint): void {
  const journalState = restart ? undefined : readJournal(filesOf(file).journal);
  if (journalState === undefined || differences(journalState.job, job).length === 0) return;
  throw new RelctlError('partial', `another export to ${file} was interrupted`, {
    facts: { code: 'interrupted-export' },
    hint: `${resumeCommand} --restart`,
  });
}

async function exported(
  run: ListRun,
  base: ExportBase,
  { columns, request }: { readonly columns: ColumnPlan<ResolvedPlan>; readonly request: ExportRequest },
): Promise<Exported> {
  const { plan, fields } = columns;
  // Format and columns matter in the second pass only: the first may be resumed with others.
  const job = { ...callsOf(run, plan), format: 'spool', columns: '', looks: '' };
  refuseOther(base, job);
  checkReplaceable(base.file, { folder: base.traces, force: base.force });
  if (run.flags.meta === true) checkMeta(base.file, base.force);
  const staging = await readToStagingFile({
    ...base,
    job,
    pages: openWalk(run, plan, { seen: request.seen, form: { text: stagingLine } }),
  });
  const { query, count } = run.flags;
  const isAnswer = query !== undefined || count;
  const done = await (isAnswer ? answered : rendered)({ run, base, job, staging, columns, request });
  removeStagingFile(staging.file);
  const meta = metaOf(run, plan, { ...request, output: done.output });
  if (meta !== undefined) {
    const unlistedValues =
      done.unlisted === undefined || fields?.known === undefined ? {} : { lateValues: done.unlisted.tally.values };
    writeMeta(base.file, done.exported, { ...meta(), ...unlistedValues });
  }
  if (done.unlisted !== undefined && done.unlisted.tally.values > 0)
    await note(run.context, run.flags, unlistedNote(done.unlisted.tally, done.unlisted.file));
  return done.exported;
}

/**
 * Exports a list whose fields have columns, in two passes: the records into a staging file beside the file, which can be
 * resumed page by page; then the staging file into the file, whose columns are known by then. Values of fields that the
 * workflow does not list are also written to FILE.fields.csv. Throws what `runExport` throws.
 */
export function exportStaged(run: ListRun, columns: ColumnPlan<ResolvedPlan>, request: ExportRequest): Promise<Claim> {
  return exportBy(run, request, (exportBase) => {
    // All files are beside the target of a symbolic link.
    const base = { ...exportBase, file: targetOf(exportBase.file) };
    // Each pass has a lock of its own; this one is for the time between them.
    const work = (): Promise<Exported> => exported(run, base, { columns, request });
    return withLock(`${base.file}.spool.run`, work, lockOf(base.file, base));
  });
}
