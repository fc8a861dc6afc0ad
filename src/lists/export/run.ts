import { defined } from '../../core/values/value.js';
import { statSync } from 'node:fs';
import { endsOf, type Claim, type Page } from '../../client/paging.js';
import { contentTextOf, partsOf, rowId, type PageKeys } from '../../client/rows/row.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { replaceByPart, syncFolderOf } from '../../state/durable.js';
import { attempt, removeOwn } from '../../state/own-file.js';
import { isGzipName } from '../../state/gzip.js';
import { withLock } from '../../state/locks/lock.js';
import type { Piece, Writer } from '../../formats/writers/format.js';
import { IdDigest, untilAgreed } from './consistent.js';
import { packIds, openJournal, type Journal } from './journal.js';
import { resumeStateOf, throwAway, type ResumeState } from './resume-state.js';
import { checkMeta, withdrawMeta, writeMeta } from './meta.js';
import {
  checkReplaceable,
  checkUntouched,
  rememberPart,
  targetOf,
  type ListRecord,
} from '../../state/output-registry.js';
import { openPart, type PartFile, type FileCheck } from './part.js';
import { filesOf, lockOf, type Exported, type ExportPlan } from './plan.js';

/** Joins two pieces, so that they become one member of a compressed file. */
function joined(left: Piece, right: Piece): Piece {
  if (left === '') return right;
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  return Buffer.concat([Buffer.from(left), Buffer.from(right)]);
}

/** A page of a compressed file is one member of it, or several of about so many bytes. */
const memberBytes = 8 * 1024 * 1024;

/** Joins pieces to members of a compressed file. */
function* membersOf(pieces: Iterable<Piece>): Generator<Piece> {
  let member: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    const each = Buffer.from(piece);
    member.push(each);
    bytes += each.length;
    if (bytes < memberBytes) continue;
    yield Buffer.concat(member);
    [member, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(member);
}

/** Milliseconds between two syncs of both files, at least. After a loss of power, rows since the last are read again. */
const syncEveryMs = 1000;

/** For pages after which no run resumes. */
const noKeys: PageKeys = { ids: new Uint32Array(), contents: new Uint32Array() };

/** An export that is under way; the file of its plan is the target of a symbolic link. */
interface Job {
  readonly plan: ExportPlan;
  readonly isGzip: boolean;
  readonly before: string | undefined;
}

interface Opened {
  readonly part: PartFile;
  readonly journal: Journal;
  readonly writer: Writer<Piece>;
}

interface Finished extends FileCheck {
  readonly unregistered: RelctlError | undefined;
}

class Run {
  readonly #job: Job;
  readonly #open: Opened;
  #syncedAt: number;

  constructor(job: Job, open: Opened) {
    this.#job = job;
    this.#open = open;
    this.#syncedAt = job.plan.nowMs();
  }

  #write({ records }: Page, isFirst: boolean): void {
    const all = this.#piecesOf(records, isFirst);
    // Where nothing is compressed nothing is copied: a page may be a long list.
    for (const each of this.#job.isGzip ? membersOf(all) : all) this.#open.part.write(each);
  }

  *#piecesOf(rows: Page['records'], isFirst: boolean): Generator<Piece> {
    const writer = this.#open.writer;
    if (isFirst) yield writer.begin();
    for (const part of partsOf(rows)) {
      if ('records' in part) yield writer.records(this.#job.plan.printed(part.records));
      else yield writer.placed === undefined ? part.text : writer.placed(part.text);
    }
  }

  take(page: Page, isFirst: boolean): void {
    const { idOf, onPage, job } = this.#job.plan;
    this.#write(page, isFirst);
    const { number, signature, duplicates, changed = 0, retries, pageSize, keys = noKeys } = page;
    this.#open.journal.add({
      page: number,
      signature,
      bytes: this.#open.part.length,
      sha256: this.#open.part.digest(),
      rows: page.records.length,
      duplicates,
      changed,
      retries,
      ...defined({
        pageSize: pageSize === job.pageSize ? undefined : pageSize,
        ...endsOf(page.records, idOf),
      }),
      ids: packIds(keys),
    });
    this.#syncNowAndThen();
    onPage?.(page);
  }

  #syncNowAndThen(): void {
    const now = this.#job.plan.nowMs();
    if (now - this.#syncedAt < syncEveryMs) return;
    this.#sync();
    this.#syncedAt = now;
  }

  #sync(): void {
    try {
      this.#open.part.sync();
      this.#open.journal.sync();
    } catch (thrown) {
      this.#open.journal.forgetUnsynced();
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

  /** @param list what is in the file, if it is a whole list */
  finish(isEmpty: boolean, list: ListRecord | undefined): Finished {
    const { plan, before } = this.#job;
    this.#open.part.write(joined(isEmpty ? this.#open.writer.begin() : '', this.#open.writer.end()));
    const check = this.#open.part.seal();
    // A later run that finds the journal can tell by this line whether the rename was done.
    this.#open.journal.finish(check);
    checkUntouched(plan.file, { before, force: plan.force });
    withdrawMeta(plan.file);
    const { part } = filesOf(plan.file);
    const unregistered = rememberPart(plan.traces, plan.file, { part, list });
    replaceByPart(part, plan.file);
    return { ...check, unregistered };
  }
}

const journalRows = ({ journal }: ResumeState): number => journal.pages.reduce((sum, { rows }) => sum + rows, 0);

async function opened(job: Job, resumeState: ResumeState | undefined): Promise<Run> {
  const { plan, isGzip } = job;
  const files = filesOf(plan.file);
  const writer = await plan.writer(resumeState && { rows: journalRows(resumeState) });
  const mode = (statSync(plan.file, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
  const keep = resumeState?.last;
  const part = openPart(files.part, { isGzip, mode, ...defined({ keep }) });
  const { job: fingerprint, startedAt } = plan;
  const about = { job: fingerprint, startedAt, ...defined({ kept: resumeState?.journal }) };
  const journal = openJournal(files.journal, about);
  attempt(files.journal, () => syncFolderOf(files.journal));
  return new Run(job, { part, journal, writer });
}

interface Walked {
  readonly run: Run;
  readonly claim: Claim;
  /** Nothing was written, not even a header. */
  readonly isEmpty: boolean;
  readonly digest: string;
  readonly duplicates: number;
}

async function walk(plan: ExportPlan, run: Run, kept: ResumeState | undefined): Promise<Walked> {
  const pages = plan.pages(kept?.state);
  const digest = new IdDigest();
  const take = (page: Page, isFirst: boolean): void => {
    run.take(page, isFirst);
    if (plan.consistent)
      for (const record of page.records) digest.add(rowId(record, plan.idOf) ?? contentTextOf(record));
  };
  let isFirst = kept === undefined;
  let step = await pages.next();
  for (; step.done !== true; isFirst = false) {
    try {
      take(step.value, isFirst);
    } catch (thrown) {
      // Ends the calls that are under way, and throws the same.
      await pages.throw(thrown);
    }
    step = await pages.next();
  }
  const claim = step.value;
  return { run, claim, isEmpty: isFirst, digest: digest.text, duplicates: claim.duplicates };
}

/** A list that cannot be read to its end cannot be resumed either. */
const hasNoEnd = ({ facts }: RelctlError): boolean => facts.code === 'page-repeated' || facts.code === 'page-stale';

/** Keeps what a later run can resume, and puts the command for it into the error; removes everything else. */
function failureOf({ plan }: Job, run: Run, thrown: unknown): RelctlError {
  const error = RelctlError.from(thrown);
  try {
    if (run.storePart() && !hasNoEnd(error)) return withResumeHint(plan, error);
    throwAway(plan.file);
    return error;
  } catch (second) {
    return error.kind === 'bug' || error.kind === 'local' ? error : withResumeHint(plan, RelctlError.from(second));
  }
}

function withResumeHint(plan: ExportPlan, error: RelctlError): RelctlError {
  const { kind, facts } = error;
  // These have another remedy: credentials or flags to put right, or a file that is damaged or gone.
  const isOther =
    kind === 'usage' || kind === 'bug' || kind === 'profile' || (kind === 'local' && error.remedy.hint !== undefined);
  // The hint for a list that shrank has a flag of its own.
  if (isOther || facts.code === 'shrunk') return error;
  // A command that has to be run before the export is resumed.
  const isCommand = facts.code === 'list-absent' && error.hint !== undefined;
  const first = isCommand ? `${error.hint} && ` : '';
  return error.withHint(`${first}${plan.resumeCommand} --resume`);
}

/** Reads the list once, into a partial file that is complete but not yet in its place. */
async function pass(job: Job, kept: ResumeState | undefined): Promise<Walked> {
  const run = await opened(job, kept).catch((thrown: unknown) => {
    throw kept === undefined ? thrown : withResumeHint(job.plan, RelctlError.from(thrown));
  });
  if (kept !== undefined) job.plan.onKept?.({ rows: journalRows(kept), pages: kept.journal.pages.length });
  try {
    return await walk(job.plan, run, kept);
  } catch (thrown) {
    throw failureOf(job, run, thrown);
  }
}

async function passes(job: Job, kept: ResumeState | undefined): Promise<Walked & { readonly passes: number }> {
  if (!job.plan.consistent) return { ...(await pass(job, kept)), passes: 1 };
  return untilAgreed(
    // Only whole passes are compared, so an interrupted one is not resumed.
    () => pass(job, undefined),
    ({ run }) => {
      run.close();
      throwAway(job.plan.file);
    },
  );
}

const listOf = ({ list }: ExportPlan, { rows }: Claim): ListRecord | undefined =>
  list === undefined ? undefined : { of: list, rows };

function replaceFile(job: Job, { run, isEmpty, claim }: Walked): Finished {
  try {
    job.plan.accept?.(claim.rows);
    return run.finish(isEmpty, listOf(job.plan, claim));
  } catch (thrown) {
    throw failureOf(job, run, thrown);
  }
}

async function exported(plan: ExportPlan, { isGzip }: Pick<Job, 'isGzip'>): Promise<Exported> {
  if (plan.meta !== undefined) checkMeta(plan.file, plan.force);
  const { kept, damagedPages } = resumeStateOf(plan);
  const before = checkReplaceable(plan.file, { folder: plan.traces, force: plan.force });
  const job = { plan, isGzip, before };
  const done = await passes(job, kept);
  const { bytes, sha256, unregistered } = replaceFile(job, done);
  done.run.close();
  removeOwn(filesOf(plan.file).journal);
  const isResumed = kept !== undefined && !plan.consistent;
  const result = {
    claim: done.claim,
    startedAt: isResumed ? kept.journal.startedAt : plan.startedAt,
    bytes,
    sha256,
    isResumed,
    damagedPages: plan.consistent ? 0 : damagedPages,
    passes: done.passes,
    ...defined({ unregistered }),
  };
  if (plan.meta !== undefined) writeMeta(plan.file, result, plan.meta());
  return result;
}

/**
 * Exports a list to a file that is complete or not there. Pages are written to a partial file, with a journal, and the
 * partial file is renamed when the list has ended with a claim. Throws `locked` when another run writes the file, `local`
 * when a file fails, `partial` when an interrupted export is in the way, and what the calls throw; the file of before is
 * untouched then, and `--resume` resumes the export.
 */
export function runExport(plan: ExportPlan): Promise<Exported> {
  const file = targetOf(plan.file);
  const work = (): Promise<Exported> => exported({ ...plan, file }, { isGzip: isGzipName(plan.file) });
  return withLock(filesOf(file).lock, work, lockOf(file, plan));
}
