import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Claim, Page } from '../client/pages.js';
import type { WalkState } from '../client/paging.js';
import { RelctlError } from '../errors/relctl-error.js';
import { takeLock } from '../files/lock.js';
import type { RecordValue } from '../soap/values.js';
import type { Piece, Writer } from '../output/formats/format.js';
import { differences, type Fingerprint } from './fingerprint.js';
import { packIds } from './ids.js';
import { openJournal, readJournal, removeJournal, stateOf, type Journal, type KeptJournal } from './journal.js';
import { checkReplaceable, remember } from './owned.js';
import { openPart, removePart, type PartFile } from './part.js';

/** An export to a file. */
export interface ExportPlan {
  readonly file: string;
  readonly job: Fingerprint;
  /** Writes records; `isContinued` when some were written before. */
  readonly writer: (isContinued: boolean) => Promise<Writer<Piece>>;
  /** Walks the list, from where an earlier run stopped. */
  readonly pages: (resume: WalkState | undefined) => AsyncGenerator<Page, Claim>;
  readonly idOf: (record: RecordValue) => string | undefined;
  /** A record as it is printed. */
  readonly printed: (record: RecordValue) => RecordValue;
  /** Read the list again until two passes agree on its records. */
  readonly consistent: boolean;
  /** Go on with an export that was interrupted. */
  readonly resume: boolean;
  /** Throw an export that was interrupted away. */
  readonly restart: boolean;
  /** The command that would go on, for an error message. */
  readonly resumeCommand: string;
  readonly force: boolean;
  /** How long to wait for another run that writes the same file. */
  readonly lockWaitMs: number;
  /** Where it is remembered which files are ours. */
  readonly traces: string;
  readonly startedAt: string;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  readonly onPage?: (page: Page) => void;
}

/** What an export came to. */
export interface Exported {
  readonly claim: Claim;
  readonly startedAt: string;
  readonly bytes: number;
  /** An earlier run had written part of it. */
  readonly isResumed: boolean;
  /** Times that the list was read. */
  readonly passes: number;
}

/** Passes that may disagree before a consistent export gives up. */
const mostPasses = 4;

/** The journal is synced so often at most: less often loses time after a loss of power, never truth. */
const syncEveryMs = 1000;

function refuseJournal(plan: ExportPlan, kept: KeptJournal): void {
  const rows = kept.pages.reduce((total, line) => total + line.rows, 0);
  const differs = differences(kept.job, plan.job);
  if (differs.length > 0 && plan.resume) {
    throw new RelctlError('usage', `the export that was interrupted is another one: ${differs.join('; ')}`, {
      facts: { code: 'journal' },
      hint: 'Use the same flags as then, or --restart to throw it away.',
    });
  }
  if (plan.resume) return;
  throw new RelctlError(
    'partial',
    `an export to ${plan.file} was interrupted after ${kept.pages.length} pages, ${rows} rows`,
    {
      facts: { code: 'interrupted-export' },
      hint: `${plan.resumeCommand} --resume (or --restart to throw it away)`,
    },
  );
}

/** What an earlier run left, when it is to be gone on with. */
function keptOf(plan: ExportPlan): KeptJournal | undefined {
  const files = filesOf(plan.file);
  if (plan.restart) {
    removeJournal(files.journal);
    removePart(files.part);
    return undefined;
  }
  const kept = readJournal(files.journal);
  if (kept === undefined) return undefined;
  refuseJournal(plan, kept);
  return kept.pages.length === 0 ? undefined : kept;
}

/** The files beside the target. */
export const filesOf = (file: string): { readonly part: string; readonly journal: string; readonly lock: string } => ({
  part: `${file}.part`,
  journal: `${file}.journal`,
  lock: `${file}.lock`,
});

/** Two pieces as one: what is written together is one member of a compressed file. */
function joined(left: Piece, right: Piece): Piece {
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  return Buffer.concat([Buffer.from(left), Buffer.from(right)]);
}

class Run {
  readonly #plan: ExportPlan;
  readonly #part: PartFile;
  readonly #journal: Journal;
  readonly #writer: Writer<Piece>;
  #syncedAt: number;

  constructor(plan: ExportPlan, open: { part: PartFile; journal: Journal; writer: Writer<Piece> }) {
    this.#plan = plan;
    this.#part = open.part;
    this.#journal = open.journal;
    this.#writer = open.writer;
    this.#syncedAt = plan.nowMs();
  }

  take(page: Page, isFirst: boolean): void {
    const { idOf, printed, onPage } = this.#plan;
    this.#part.write(joined(isFirst ? this.#writer.begin() : '', this.#writer.records(page.records.map(printed))));
    const ids = page.records.map(idOf).filter((id) => id !== undefined);
    const [firstId, lastId] = [ids[0], ids.at(-1)];
    this.#journal.add({
      page: page.number,
      signature: page.signature,
      bytes: this.#part.length,
      rows: page.records.length,
      duplicates: page.duplicates,
      retries: page.retries,
      ...(firstId === undefined ? {} : { firstId }),
      ...(lastId === undefined ? {} : { lastId }),
      ids: packIds(ids),
    });
    this.#syncNowAndThen();
    onPage?.(page);
  }

  #syncNowAndThen(): void {
    if (this.#plan.nowMs() - this.#syncedAt < syncEveryMs) return;
    this.#part.sync();
    this.#journal.sync();
    this.#syncedAt = this.#plan.nowMs();
  }

  /** Keeps what there is, for a later run. */
  keep(): void {
    try {
      this.#part.sync();
      this.#journal.sync();
    } finally {
      this.#part.close();
      this.#journal.close();
    }
  }

  finish(isEmpty: boolean): void {
    this.#part.write(joined(isEmpty ? this.#writer.begin() : '', this.#writer.end()));
    this.#part.finish(this.#plan.file);
    this.#journal.close();
  }
}

async function opened(plan: ExportPlan, kept: KeptJournal | undefined): Promise<Run> {
  const files = filesOf(plan.file);
  const writer = await plan.writer(kept !== undefined);
  const last = kept?.pages.at(-1);
  const mode = (statSync(plan.file, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
  const part = openPart(files.part, {
    isGzip: plan.file.endsWith('.gz'),
    mode,
    ...(last === undefined ? {} : { keepBytes: last.bytes }),
  });
  const { job, startedAt } = plan;
  const journal = openJournal(files.journal, { job, startedAt, ...(kept === undefined ? {} : { kept }) });
  return new Run(plan, { part, journal, writer });
}

/** Stands for a set of Ids whatever their order. */
class IdDigest {
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

interface Walked {
  readonly claim: Claim;
  /** Nothing was written: not even what stands before the first record. */
  readonly isEmpty: boolean;
  readonly digest: string;
}

async function walk(plan: ExportPlan, run: Run, kept: KeptJournal | undefined): Promise<Walked> {
  const pages = plan.pages(kept === undefined ? undefined : stateOf(kept));
  const digest = new IdDigest();
  let isFirst = kept === undefined;
  let step = await pages.next();
  for (; step.done !== true; step = await pages.next()) {
    run.take(step.value, isFirst);
    if (plan.consistent)
      for (const record of step.value.records) digest.add(plan.idOf(record) ?? JSON.stringify(record));
    isFirst = false;
  }
  return { claim: step.value, isEmpty: isFirst, digest: digest.text };
}

/** One pass over the list, to a part file that is whole but not yet in its place. */
async function pass(plan: ExportPlan, kept: KeptJournal | undefined): Promise<Walked & { readonly run: Run }> {
  const run = await opened(plan, kept);
  try {
    return { run, ...(await walk(plan, run, kept)) };
  } catch (thrown) {
    run.keep();
    throw withWayOn(plan, thrown);
  }
}

async function agreedPass(plan: ExportPlan): Promise<Walked & { readonly run: Run; readonly passes: number }> {
  let before: string | undefined;
  for (let passes = 1; passes <= mostPasses; passes += 1) {
    const done = await pass(plan, undefined);
    if (done.digest === before) return { ...done, passes };
    before = done.digest;
    done.run.keep();
  }
  removeJournal(filesOf(plan.file).journal);
  removePart(filesOf(plan.file).part);
  throw new RelctlError(
    'partial',
    `${mostPasses} passes over the list did not agree on its records: it changes too fast`,
    {
      facts: { code: 'inconsistent' },
      hint: 'Try again when less is written, or without --consistent.',
    },
  );
}

function withWayOn(plan: ExportPlan, thrown: unknown): RelctlError {
  const error = RelctlError.from(thrown);
  if (error.kind === 'usage' || error.kind === 'locked' || error.kind === 'bug') return error;
  return new RelctlError(error.kind, error.message, {
    facts: error.facts,
    data: error.data,
    cause: error.cause,
    hint: `${plan.resumeCommand} --resume goes on where it stopped`,
  });
}

async function exported(plan: ExportPlan): Promise<Exported> {
  const kept = keptOf(plan);
  checkReplaceable(plan.file, { folder: plan.traces, force: plan.force });
  // Passes are compared as wholes, so an interrupted one is begun anew.
  const done = plan.consistent ? await agreedPass(plan) : { ...(await pass(plan, kept)), passes: 1 };
  done.run.finish(done.isEmpty);
  removeJournal(filesOf(plan.file).journal);
  remember(plan.traces, plan.file);
  const isResumed = kept !== undefined && !plan.consistent;
  return {
    claim: done.claim,
    startedAt: isResumed ? kept.startedAt : plan.startedAt,
    bytes: statSync(plan.file).size,
    isResumed,
    passes: done.passes,
  };
}

/**
 * Exports a list to a file that is complete or not there: beside it grows a part, with a journal of the pages in it, and
 * the part takes its place when the list has ended with a claim. Throws `locked` when another run writes the file, `local`
 * for the file system, `partial` when an interrupted export is in the way, and what the calls throw; what was there before
 * is untouched then, and `--resume` goes on.
 */
export async function runExport(plan: ExportPlan): Promise<Exported> {
  const { file, lockWaitMs, signal } = plan;
  const release = await takeLock(filesOf(file).lock, { patienceMs: lockWaitMs, what: `${file} is`, signal });
  try {
    return await exported(plan);
  } finally {
    release();
  }
}
