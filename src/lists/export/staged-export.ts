import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { defined, type RecordValue } from '../../core/values/value.js';
import { needsAllRecords } from '../../kit/output/open-output.js';
import { endsOf, type Claim } from '../../client/paging.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { isGzipName } from '../../state/gzip.js';
import { readExportJournal } from './journal.js';
import { checkMeta, writeMeta } from './meta.js';
import { openNewFile, type ReplacedFile } from './part.js';
import { checkReplaceable, targetOf } from '../../state/output-registry.js';
import { differences, filesOf, lockOf, type Fingerprint, type Exported, type ExportTarget } from './export-plan.js';
import { throwAway } from './resume-state.js';
import { withResumeHint } from './export-run.js';
import { readToStagingFile, removeStagingFile, stagedIn, stagingLine, type StagedList } from './staging.js';
import { withLock } from '../../state/locks/lock.js';
import { type FormatName, formats } from '../../formats/writers/index.js';
import { exportBy, metaOf, type ExportBase, type ExportRequest } from './export.js';
import { callsOf, printedOf } from '../paging.js';
import { rendererFor } from '../rendering.js';
import { openWalk } from '../source.js';
import type { Columns } from '../fields/columns.js';
import type { ListRun } from '../plan.js';
import { note } from '../../kit/host/notes.js';
import { writerFor, type OutputRequest, type RecordOutput } from '../../kit/output/record-output.js';
import { unlistedNote, openUnlistedFile, type UnlistedFile } from '../unlisted-fields.js';
import { writeStaged } from '../write-rows.js';

/** True when a list goes to a file through a staging file: all records decide what is printed, or on its columns. */
export function isStagedExport(flags: ListRun['flags'], { fields }: Columns, format: FormatName): boolean {
  const { layout } = formats[format];
  return needsAllRecords(flags) || (fields !== undefined && (layout === 'cells' || layout === 'tree'));
}

interface ReadList {
  readonly run: ListRun;
  readonly base: ExportBase;
  readonly request: ExportRequest;
  readonly staging: StagedList;
}

interface WrittenFile extends Pick<Exported, 'claim' | 'bytes' | 'sha256' | 'unregistered'> {
  readonly output: OutputRequest;
}

/** The batches of a staging file. Signals are handled between them. */
async function* batchesOf(
  { run, staging }: ReadList,
  unlisted: UnlistedFile | undefined,
): AsyncGenerator<readonly RecordValue[], void> {
  for (const records of stagedIn(staging).batches()) {
    await setImmediate();
    run.context.signal.throwIfAborted();
    unlisted?.add(records);
    yield records;
  }
  await unlisted?.finish();
}

/** The file of an export as an output of rows, and what is known of it at the end. */
async function openFile({ run, base, request, staging }: ReadList, output: OutputRequest) {
  const { target, idOf, list, accept } = base;
  const { claim } = staging;
  const writer = await writerFor(run.context, output, { format: request.format });
  const file = openNewFile(target, isGzipName(target.file));
  let hasStarted = false;
  let ends: Pick<Claim, 'firstId' | 'lastId'> = { firstId: undefined, lastId: undefined };
  let replaced: ReplacedFile | undefined;
  const begin = (): string | Uint8Array => {
    const piece = hasStarted ? '' : writer.begin();
    hasStarted = true;
    return piece;
  };
  const rows: RecordOutput = {
    write(records) {
      const { firstId, lastId } = endsOf(records, idOf);
      ends = { firstId: ends.firstId ?? firstId, lastId: lastId ?? ends.lastId };
      file.write([begin(), writer.records(records)]);
      return Promise.resolve();
    },
    async finish() {
      file.write([begin(), writer.end()]);
      accept?.(claim.rows);
      replaced = file.finish(list === undefined ? undefined : { of: list, rows: claim.rows });
      const below = writer.note?.();
      if (below !== undefined) await note(run.context, run.flags, below);
    },
  };
  return {
    rows,
    close: () => file.discard(),
    written(): Omit<WrittenFile, 'output'> {
      const { bytes = 0, sha256 = '', unregistered } = replaced ?? {};
      const isSorted = run.flags.sort !== undefined;
      const printed = isSorted ? { ...claim, ...ends, rows: printedOf(run, claim.rows) } : claim;
      return { claim: printed, bytes, sha256, ...defined({ unregistered }) };
    },
  };
}

/** The second pass: from the staging file to the file, without a call. It is never resumed. */
async function writeFile(read: ReadList, unlisted: UnlistedFile | undefined): Promise<WrittenFile> {
  const { base, request, staging } = read;
  const { columns, output } = request.list;
  let file: Awaited<ReturnType<typeof openFile>> | undefined;
  const openPlain = async (plain: OutputRequest): Promise<RecordOutput> => (file = await openFile(read, plain)).rows;
  try {
    const staged = { ...stagedIn(staging), batches: () => batchesOf(read, unlisted) };
    const printed = await writeStaged(read.run, { columns, request: { ...output, openPlain } }, staged);
    const written = file?.written() ?? { claim: staging.claim, bytes: statSync(base.target.file).size, sha256: '' };
    return { ...written, output: printed };
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    if (file === undefined) throw error;
    // A value that the format cannot write would stop each later run as well.
    if (error.kind === 'usage') removeStagingFile(staging.file);
    throw withResumeHint(base.target, error);
  } finally {
    file?.close();
    unlisted?.close();
  }
}

/** Throws `partial` when another export to the same file was interrupted: the second pass would remove it. */
function refuseOther({ file, restart, command }: ExportTarget, job: Fingerprint): void {
  const journal = restart ? undefined : readExportJournal(filesOf(file).journal);
  if (journal === undefined || differences(journal.job, job).length === 0) return;
  throw new RelctlError('partial', `another export to ${file} was interrupted`, {
    facts: { code: 'interrupted-export' },
    hint: `${command} --restart`,
  });
}

async function exportTo(run: ListRun, base: ExportBase, request: ExportRequest): Promise<Exported> {
  const { target } = base;
  const { plan, columns } = request.list;
  const { file, registry, force } = target;
  // Format and columns matter in the second pass only: the first may be resumed with others.
  const job = { ...callsOf(run, plan), format: 'staging', columns: '', style: '' };
  refuseOther(target, job);
  checkReplaceable(file, { folder: registry, force });
  if (run.flags.meta === true) checkMeta(file, force);
  const renderer = rendererFor(run, plan, { text: stagingLine });
  const pages = openWalk(run, plan, { seen: request.seen, renderer });
  const staging = await readToStagingFile({ ...base, job, pages });
  const unlisted = columns.fields && (await openUnlistedFile(run, target, columns.fields));
  const second = async (): Promise<WrittenFile> => {
    throwAway(file);
    return writeFile({ run, base, request, staging }, unlisted);
  };
  const { output, ...written } = await withLock(filesOf(file).lock, second, lockOf(target));
  const exported = { ...staging, damagedPages: 0, ...written };
  removeStagingFile(staging.file);
  const meta = metaOf(run, { ...request, list: { ...request.list, output } });
  const tally = unlisted?.tally ?? { values: 0, fields: 0 };
  const lateValues = columns.fields?.known === undefined ? undefined : tally.values;
  if (meta !== undefined) writeMeta(file, exported, { ...meta(), ...defined({ lateValues }) });
  if (unlisted !== undefined && tally.values > 0)
    await note(run.context, run.flags, unlistedNote(tally, unlisted.file));
  return exported;
}

/**
 * Exports a list whose fields have columns, in two passes: the records into a staging file beside the file, which can be
 * resumed page by page; then the staging file into the file, whose columns are known by then. Values of fields that the
 * workflow does not list are also written to FILE.fields.csv. Throws what `runExport` throws.
 */
export function exportStaged(run: ListRun, request: ExportRequest): Promise<Claim> {
  return exportBy(run, request, (base) => {
    // All files are beside the target of a symbolic link.
    const target = { ...base.target, file: targetOf(base.target.file) };
    // Each pass has a lock of its own; this one is for the time between them.
    const work = (): Promise<Exported> => exportTo(run, { ...base, target }, request);
    return withLock(`${target.file}.staging.run`, work, lockOf(target));
  });
}
