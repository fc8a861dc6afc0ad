import { defined } from '../../core/values/value.js';
import { endsOf, type Claim, type Page } from '../../client/paging.js';
import { contentTextOf, partsOf, rowId, type PageKeys } from '../../client/rows/row.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { syncFolderOf } from '../../state/durable.js';
import { attempt, removeOwn } from '../../state/own-file.js';
import { isGzipName } from '../../state/gzip.js';
import { withLock } from '../../state/locks/lock.js';
import type { Piece, Writer } from '../../formats/writers/format.js';
import { drain, type PageSink } from '../source.js';
import { packIds, openJournal, type Journal } from './journal.js';
import { listRecordOf, resumeStateOf, rowsBefore, throwAway, type ResumeState } from './resume-state.js';
import { checkMeta, writeMeta } from './meta.js';
import { modeOf, replaceFile, writePieces, type ReplacedFile, openPart, type PartFile } from './part.js';
import { checkReplaceable, targetOf } from '../../state/output-registry.js';
import { filesOf, lockOf, type Exported, type ExportPlan, type ExportTarget } from './export-plan.js';
import { createHash } from 'node:crypto';

/** Milliseconds between two syncs of both files, at least. After a loss of power, rows since the last are read again. */
const syncEveryMs = 1000;

/** For pages after which no run resumes. */
const noKeys: PageKeys = { ids: new Uint32Array(), contents: new Uint32Array() };

/** An export that is under way; the file of its plan is the target of a symbolic link. */
interface Job {
  readonly plan: ExportPlan;
  readonly isGzip: boolean;
  /** What identifies the file that is replaced. */
  readonly before: string | undefined;
}

interface Opened {
  readonly part: PartFile;
  readonly journal: Journal;
  readonly writer: Writer<Piece>;
}

class PartSink implements PageSink {
  readonly resume: ResumeState['state'] | undefined;
  readonly #job: Job;
  readonly #open: Opened;
  readonly #ids = new IdDigest();
  #isBegun: boolean;
  #syncedAt: number;

  constructor(job: Job, open: Opened, resumeState: ResumeState | undefined) {
    this.#job = job;
    this.#open = open;
    this.resume = resumeState?.state;
    this.#isBegun = resumeState !== undefined;
    this.#syncedAt = job.plan.target.nowMs();
  }

  /** Identifies the records that were written. */
  get digest(): string {
    return this.#ids.text;
  }

  *#begin(): Generator<Piece> {
    if (!this.#isBegun) yield this.#open.writer.begin();
    this.#isBegun = true;
  }

  *#piecesOf(records: Page['records']): Generator<Piece> {
    const { writer } = this.#open;
    const { rows } = this.#job.plan;
    yield* this.#begin();
    for (const part of partsOf(records)) {
      if ('records' in part) yield writer.records(rows?.(part.records) ?? part.records);
      else yield writer.placed?.(part.text) ?? part.text;
    }
  }

  *#lastPieces(): Generator<Piece> {
    yield* this.#begin();
    yield this.#open.writer.end();
  }

  take(page: Page): void {
    const { idOf, job, target } = this.#job.plan;
    const { part, journal } = this.#open;
    const { number, signature, records, duplicates, changed = 0, retries, pageSize, keys = noKeys } = page;
    writePieces(part, this.#piecesOf(records), this.#job.isGzip);
    journal.add({
      page: number,
      signature,
      bytes: part.length,
      sha256: part.digest(),
      rows: records.length,
      duplicates,
      changed,
      retries,
      ...defined({ pageSize: pageSize === job.pageSize ? undefined : pageSize, ...endsOf(records, idOf) }),
      ids: packIds(keys),
    });
    this.#syncNowAndThen();
    if (target.consistent) for (const record of records) this.#ids.add(rowId(record, idOf) ?? contentTextOf(record));
  }

  #syncNowAndThen(): void {
    const now = this.#job.plan.target.nowMs();
    if (now - this.#syncedAt < syncEveryMs) return;
    this.#sync();
    this.#syncedAt = now;
  }

  #sync(): void {
    const { part, journal } = this.#open;
    try {
      part.sync();
      journal.sync();
    } catch (thrown) {
      journal.forgetUnsynced();
      throw thrown;
    }
  }

  /** Keeps what there is for a later run; false when there is nothing worth it. */
  storePart(): boolean {
    try {
      if (this.#open.journal.pages === 0) return false;
      this.#sync();
      return true;
    } finally {
      this.close();
    }
  }

  close(): void {
    this.#open.part.close();
    this.#open.journal.close();
  }

  /** Puts the file in its place. Throws `local`. */
  finish({ rows }: Claim): ReplacedFile {
    const { plan, before, isGzip } = this.#job;
    const { part, journal } = this.#open;
    writePieces(part, this.#lastPieces(), isGzip);
    const check = part.seal();
    // A later run that finds the journal can tell by this line whether the rename was done.
    journal.finish(check);
    return replaceFile(plan.target, { before, check, list: listRecordOf(plan, rows) });
  }
}

async function openSink(job: Job, resumeState: ResumeState | undefined): Promise<PartSink> {
  const { plan, isGzip } = job;
  const { file, startedAt } = plan.target;
  const files = filesOf(file);
  const writer = await plan.writer(resumeState && { rows: rowsBefore(resumeState) });
  const part = openPart(files.part, { isGzip, mode: modeOf(file), ...defined({ keep: resumeState?.last }) });
  const journal = openJournal(files.journal, { job: plan.job, startedAt, ...defined({ kept: resumeState?.journal }) });
  attempt(files.journal, () => syncFolderOf(files.journal));
  return new PartSink(job, { part, journal, writer }, resumeState);
}

/** A list that was read once, into a partial file that is complete but not yet in its place. */
interface ReadList extends Pass {
  readonly sink: PartSink;
  readonly claim: Claim;
}

/** A list that cannot be read to its end cannot be resumed either. */
const hasNoEnd = ({ facts }: RelctlError): boolean => facts.code === 'page-repeated' || facts.code === 'page-stale';

/** Keeps what a later run can resume, and puts the command for it into the error; removes everything else. */
function failureOf({ target }: ExportPlan, sink: PartSink, thrown: unknown): RelctlError {
  const error = RelctlError.from(thrown);
  try {
    if (sink.storePart() && !hasNoEnd(error)) return withResumeHint(target, error);
    throwAway(target.file);
    return error;
  } catch (second) {
    return error.kind === 'bug' || error.kind === 'local' ? error : withResumeHint(target, second);
  }
}

/** The error with the command that resumes an export, unless it has another remedy. */
export function withResumeHint({ command }: ExportTarget, thrown: unknown): RelctlError {
  const error = RelctlError.from(thrown);
  const { kind, facts } = error;
  // These have another remedy: credentials or flags to put right, or a file that is damaged or gone.
  const isOther =
    kind === 'usage' || kind === 'bug' || kind === 'profile' || (kind === 'local' && error.remedy.hint !== undefined);
  // The hint for a list that shrank has a flag of its own.
  if (isOther || facts.code === 'shrunk') return error;
  // A command that has to be run before the export is resumed.
  const isCommand = facts.code === 'list-absent' && error.hint !== undefined;
  const first = isCommand ? `${error.hint} && ` : '';
  return error.withHint(`${first}${command} --resume`);
}

async function readOnce(job: Job, resumeState: ResumeState | undefined): Promise<ReadList> {
  const { plan } = job;
  const sink = await openSink(job, resumeState).catch((thrown: unknown) => {
    throw resumeState === undefined ? thrown : withResumeHint(plan.target, thrown);
  });
  if (resumeState !== undefined)
    plan.progress?.kept({ rows: rowsBefore(resumeState), pages: resumeState.journal.pages.length });
  try {
    const claim = await drain(plan.pages, sink, plan.progress);
    return { sink, claim, digest: sink.digest, duplicates: claim.duplicates };
  } catch (thrown) {
    throw failureOf(plan, sink, thrown);
  }
}

async function passesOf(
  job: Job,
  resumeState: ResumeState | undefined,
): Promise<ReadList & { readonly passes: number }> {
  const { target } = job.plan;
  if (!target.consistent) return { ...(await readOnce(job, resumeState)), passes: 1 };
  return untilAgreed(
    // Only whole passes are compared, so an interrupted one is not resumed.
    () => readOnce(job, undefined),
    ({ sink }) => {
      sink.close();
      throwAway(target.file);
    },
  );
}

function finish({ plan }: Job, { sink, claim }: ReadList): ReplacedFile {
  try {
    plan.accept?.(claim.rows);
    return sink.finish(claim);
  } catch (thrown) {
    throw failureOf(plan, sink, thrown);
  }
}

async function exportTo(plan: ExportPlan, isGzip: boolean): Promise<Exported> {
  const { file, registry, force, consistent, startedAt } = plan.target;
  if (plan.meta !== undefined) checkMeta(file, force);
  const { resumeState, damagedPages } = resumeStateOf(plan);
  const before = checkReplaceable(file, { folder: registry, force });
  const job = { plan, isGzip, before };
  const { passes, ...pass } = await passesOf(job, resumeState);
  const { bytes, sha256, unregistered } = finish(job, pass);
  pass.sink.close();
  removeOwn(filesOf(file).journal);
  const isResumed = resumeState !== undefined && !consistent;
  const exported = {
    claim: pass.claim,
    startedAt: isResumed ? resumeState.journal.startedAt : startedAt,
    bytes,
    sha256,
    isResumed,
    damagedPages: consistent ? 0 : damagedPages,
    passes,
    ...defined({ unregistered }),
  };
  if (plan.meta !== undefined) writeMeta(file, exported, plan.meta());
  return exported;
}

/**
 * Exports a list to a file that is complete or not there. Pages are written to a partial file, with a journal, and the
 * partial file is renamed when the list has ended with a claim. Throws `locked` when another run writes the file, `local`
 * when a file fails, `partial` when an interrupted export is in the way, and what the calls throw; the file of before is
 * untouched then, and `--resume` resumes the export.
 */
export function runExport(plan: ExportPlan): Promise<Exported> {
  const target = { ...plan.target, file: targetOf(plan.target.file) };
  const work = (): Promise<Exported> => exportTo({ ...plan, target }, isGzipName(plan.target.file));
  return withLock(filesOf(target.file).lock, work, lockOf(target));
}

/** A hash of a set of Ids, whatever their order. */
export class IdDigest {
  #sum = 0n;
  #count = 0;

  add(id: string): void {
    const hash = createHash('sha256').update(id.toLowerCase()).digest('hex');
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash}`));
    this.#count += 1;
  }

  get text(): string {
    return `${this.#count}:${this.#sum.toString(16)}`;
  }
}

/** What passes over a list are compared by. */
export interface Pass {
  readonly digest: string;
  /** Rows that came twice: rows moved then, and others may be missing. */
  readonly duplicates: number;
}

const mostPasses = 4;

function changesTooFast(): RelctlError {
  return new RelctlError(
    'partial',
    `${mostPasses} passes over the list returned different records, or some records twice: the list changes too fast, or has no order`,
    { facts: { code: 'inconsistent' }, advice: 'Try again when the list changes less, or without --consistent.' },
  );
}

/**
 * Repeats passes until two in a row have the same records and none twice. A row that existed all the time is in such a
 * pass: a pass misses one only when another came twice, or when one that it had read was deleted, which the next pass does
 * not have. Throws `partial` after four passes, and what a pass throws.
 * @param drop called with each pass that is not used
 */
export async function untilAgreed<P extends Pass>(
  next: () => Promise<P>,
  drop: (pass: P) => void,
): Promise<P & { readonly passes: number }> {
  let before: Pass | undefined;
  for (let passes = 1; passes <= mostPasses; passes += 1) {
    const pass = await next();
    const isWhole = pass.duplicates === 0 && before?.duplicates === 0;
    if (isWhole && pass.digest === before?.digest) return { ...pass, passes };
    before = { digest: pass.digest, duplicates: pass.duplicates };
    drop(pass);
  }
  throw changesTooFast();
}
