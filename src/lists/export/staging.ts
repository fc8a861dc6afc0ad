import type { RecordValue } from '../../core/values/value.js';
import { closeSync, fstatSync, lstatSync, readSync } from 'node:fs';
import type { Claim, Page } from '../../client/pages.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { readLines } from '../../state/lines.js';
import { withLock } from '../../state/locks/lock.js';
import { openOwn, removeOwn } from '../../state/own-file.js';
import { jsonOf } from '../../core/values/json.js';
import type { Piece, Writer } from '../../formats/writers/format.js';
import { differences, type Fingerprint, readJournal } from './journal.js';
import { filesOf, lockOf, type ExportPlan } from './plan.js';
import { targetOf } from '../../state/output-registry.js';
import { throwAway } from './resume-state.js';
import { runExport } from './run.js';

/** A list that was read whole into a staging file. */
export interface StagedList {
  readonly file: string;
  readonly claim: Claim;
  readonly startedAt: string;
  readonly passes: number;
  /** An earlier run read part of it. */
  readonly isResumed: boolean;
}

type End = Omit<StagedList, 'file'>;

// Records begin with a brace.
const headMark = '#relctl-spool ';
const endMark = '#end ';
const tailBytes = 64 * 1024;

const stagingFileOf = (file: string): string => `${file}.spool`;

const parsed = (line: string | undefined, mark: string): unknown =>
  line?.startsWith(mark) === true ? jsonOf(line.slice(mark.length)) : undefined;

function* opened<T>(file: string, work: (handle: number) => Iterable<T>): Generator<T> {
  const handle = openOwn(file);
  try {
    yield* work(handle);
  } finally {
    closeSync(handle);
  }
}

function lastLine(file: string): string | undefined {
  const [line] = opened(file, (handle) => {
    const { size } = fstatSync(handle);
    const tail = Buffer.alloc(Math.min(size, tailBytes));
    readSync(handle, tail, 0, tail.length, size - tail.length);
    return [tail.toString('utf8').trimEnd().split('\n').at(-1)];
  });
  return line;
}

function damaged(file: string): RelctlError {
  return new RelctlError('local', `${file} is damaged`, {
    facts: { path: file, code: 'spool' },
    hint: '--restart',
  });
}

const batchRows = 500;

/** The records of a staging file, in batches. Throws `local` when it is damaged, or has fewer or more than were read. */
export function* stagedBatches({ file, claim }: StagedList): Generator<readonly RecordValue[]> {
  let batch: RecordValue[] = [];
  let rows = 0;
  for (const line of opened(file, readLines)) {
    if (!line.startsWith('{')) continue;
    const record = jsonOf(line);
    if (record === undefined) throw damaged(file);
    // What was written by JSON.stringify reads back as what it was.
    batch.push(record as RecordValue);
    rows += 1;
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (rows !== claim.rows) throw damaged(file);
  if (batch.length > 0) yield batch;
}

/** The staging file that an earlier run finished; undefined when there is none, or the file is another one. */
function finishedStagingFile(file: string): { readonly job: Fingerprint; readonly end: End } | undefined {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  let head: string | undefined;
  for (const line of opened(file, readLines)) {
    head = line;
    break;
  }
  // Only relctl writes such lines, and a staging file gets its name when it is complete.
  const job = parsed(head, headMark) as Fingerprint | undefined;
  const end = parsed(lastLine(file), endMark) as End | undefined;
  return job === undefined || end === undefined ? undefined : { job, end };
}

function resumedStagingFile(plan: StagingPlan, target: string): StagedList | undefined {
  const finished = finishedStagingFile(plan.file);
  if (finished === undefined) return undefined;
  if (plan.restart) {
    removeStagingFile(plan.file);
    return undefined;
  }
  const differs = differences(finished.job, plan.job);
  if (plan.resume && differs.length > 0) {
    throw new RelctlError('usage', `the export that was interrupted is another one: ${differs.join('; ')}`, {
      facts: { code: 'journal' },
      advice: 'Use the same flags as then, or throw away what it read.',
      hint: '--restart',
    });
  }
  if (plan.resume) return { ...finished.end, file: plan.file, isResumed: true };
  const { rows } = finished.end.claim;
  throw new RelctlError('partial', `an export to ${target} was interrupted when its ${rows} rows had been read`, {
    facts: { code: 'interrupted-export' },
    advice: 'With --restart in the place of --resume it is thrown away.',
    hint: `${plan.resumeCommand} --resume`,
  });
}

/** A list to read into a staging file. */
export type StagingPlan = Omit<ExportPlan, 'writer' | 'printed' | 'meta'>;

/** The line of a record in a staging file. */
export const stagingLine = (record: RecordValue): string => `${JSON.stringify(record)}\n`;

function stagingWriter(job: Fingerprint, end: () => End): Writer<Piece> {
  return {
    begin: () => `${headMark}${JSON.stringify(job)}\n`,
    records: (batch) => batch.map(stagingLine).join(''),
    end: () => `${endMark}${JSON.stringify(end())}\n`,
  };
}

/**
 * Reads a list into a staging file beside its target, with the journal of an export, so that an interrupted reading
 * resumes; one that was finished is not read again. Throws what runExport throws.
 */
export async function readToStagingFile(plan: StagingPlan): Promise<StagedList> {
  const target = plan.file;
  const file = stagingFileOf(target);
  const list = resumedStagingFile({ ...plan, file }, target);
  if (list !== undefined) return list;
  const end = { claim: undefined as Claim | undefined, startedAt: plan.startedAt, passes: 0, isResumed: false };
  const ended = (): End => {
    const { claim, ...others } = end;
    if (claim === undefined) throw new RelctlError('bug', 'a staging file ended without a claim');
    return { claim, ...others };
  };
  async function* pages(resume: Parameters<ExportPlan['pages']>[0]): AsyncGenerator<Page, Claim> {
    end.claim = yield* plan.pages(resume);
    return end.claim;
  }
  await runExport({
    ...plan,
    file,
    pages,
    printed: (records: readonly RecordValue[]) => records,
    writer(kept) {
      end.passes += 1;
      end.isResumed = kept !== undefined;
      if (end.isResumed) end.startedAt = readJournal(filesOf(file).journal)?.startedAt ?? end.startedAt;
      return Promise.resolve(stagingWriter(plan.job, ended));
    },
  });
  return { file, ...ended() };
}

/** Removes a staging file, and what its reading left. */
export function removeStagingFile(file: string): void {
  removeOwn(file);
  removeOwn(filesOf(file).journal);
}

function hasStaleJournal(file: string): boolean {
  try {
    return readJournal(filesOf(file).journal) !== undefined;
  } catch {
    // Whatever it is, it says nothing of an export.
    return false;
  }
}

const isStale = (file: string): boolean => finishedStagingFile(file) !== undefined || hasStaleJournal(file);

/**
 * Refuses an export without a staging file where one with --sort, or with columns of fields, was interrupted: it would not
 * go on, and its staging file would stay for ever. With --restart that is removed. Throws `usage`, `partial` and `locked`.
 */
export async function refuseStaged(plan: Omit<StagingPlan, 'job' | 'pages'>): Promise<void> {
  const target = targetOf(plan.file);
  const file = stagingFileOf(target);
  if (!isStale(file)) return;
  const remove = (): void => {
    if (!isStale(file)) return;
    if (!plan.restart) throw stagedBefore(target, plan.resume, plan.resumeCommand);
    removeStagingFile(file);
    throwAway(file);
  };
  await withLock(`${file}.run`, remove, lockOf(target, plan));
}

function stagedBefore(target: string, isResumed: boolean, command: string): RelctlError {
  const facts = { code: isResumed ? 'journal' : 'interrupted-export' } as const;
  const what = 'another export, whose rows were read before any was written (as --sort does),';
  return new RelctlError(isResumed ? 'usage' : 'partial', `${what} to ${target} was interrupted`, {
    facts,
    advice: 'Use the same flags as then with --resume, or throw away what it read.',
    hint: `${command} --restart`,
  });
}
