import { type RecordValue, inBatches, recordBatches, jsonOf } from '../../core/values/value.js';
import { closeSync, fstatSync, lstatSync, readSync } from 'node:fs';
import type { Claim, Page, WalkState } from '../../client/paging.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { readLines } from '../../state/lines.js';
import { withLock } from '../../state/locks/lock.js';
import { openOwn, removeOwn } from '../../state/own-file.js';
import { openLineStore } from '../../state/temporary-file.js';
import type { Piece, Writer } from '../../formats/writers/format.js';
import { fieldIds } from '../fields/columns.js';
import { readExportJournal } from './journal.js';
import { differences, filesOf, lockOf, type Fingerprint, type ExportPlan, type ExportTarget } from './export-plan.js';
import { targetOf } from '../../state/output-registry.js';
import { otherExport, throwAway } from './resume-state.js';
import { runExport } from './export-run.js';

/** Records of a list that wait until all of them were read. */
export interface Staged {
  /** Ids of the fields that they have values of, each once. */
  readonly fieldIds: () => Iterable<string>;
  readonly batches: () => Iterable<readonly RecordValue[]> | AsyncIterable<readonly RecordValue[]>;
}

const batchRows = 500;

/** Adds the fields that a record has values of, each once whatever the case of its letters. */
function addFieldIds(ids: Map<string, string>, record: RecordValue): void {
  for (const id of fieldIds(record)) if (!ids.has(id.toLowerCase())) ids.set(id.toLowerCase(), id);
}

/** The same, while they come. */
export interface Staging extends Staged {
  readonly batches: () => Generator<readonly RecordValue[]>;
  add(records: readonly RecordValue[]): void;
  close(): void;
}

/**
 * Opens a staging file: in memory while it is small, then in a temporary file that only its owner can read. Its `add` throws
 * `local` when that file cannot be written.
 * @param most how many characters are kept in memory
 */
export function openStaging(most?: number): Staging {
  const ids = new Map<string, string>();
  const store = openLineStore(most);
  function* all(): Generator<RecordValue> {
    // JSON.stringify wrote each line, so it is a record.
    for (const line of store.lines()) yield JSON.parse(line) as RecordValue;
  }
  return {
    add(records) {
      for (const each of records) {
        addFieldIds(ids, each);
        store.add(JSON.stringify(each));
      }
    },
    fieldIds: () => ids.values(),
    batches: () => recordBatches(all(), batchRows),
    close: () => store.close(),
  };
}

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
const headMark = '#relctl-staging ';
const endMark = '#end ';
const tailBytes = 64 * 1024;

const stagingFileOf = (file: string): string => `${file}.staging`;

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
    facts: { path: file, code: 'staging' },
    hint: '--restart',
  });
}

/** The records of a staging file. Throws `local` when it is damaged, or has fewer or more than were read. */
function* recordsIn({ file, claim }: StagedList): Generator<RecordValue> {
  let rows = 0;
  for (const line of opened(file, readLines)) {
    if (!line.startsWith('{')) continue;
    const record = jsonOf(line);
    if (record === undefined) throw damaged(file);
    rows += 1;
    // What was written by JSON.stringify reads back as what it was.
    yield record as RecordValue;
  }
  if (rows !== claim.rows) throw damaged(file);
}

/** What a staging file holds. It is read anew each time. */
export const stagedIn = (list: StagedList): Omit<Staging, 'add' | 'close'> => ({
  fieldIds() {
    const ids = new Map<string, string>();
    for (const record of recordsIn(list)) addFieldIds(ids, record);
    return ids.values();
  },
  batches: () => inBatches(recordsIn(list), batchRows),
});

/** The staging file that an earlier run finished; undefined when there is none, or the file is another one. */
function finishedStagingFile(file: string): { readonly job: Fingerprint; readonly end: End } | undefined {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const [head] = opened(file, readLines);
  // Only relctl writes such lines, and a staging file gets its name when it is complete.
  const job = parsed(head, headMark) as Fingerprint | undefined;
  const end = parsed(lastLine(file), endMark) as End | undefined;
  return job === undefined || end === undefined ? undefined : { job, end };
}

function resumedStagingFile(target: ExportTarget, file: string, job: Fingerprint): StagedList | undefined {
  const finished = finishedStagingFile(file);
  if (finished === undefined) return undefined;
  if (target.restart) {
    removeStagingFile(file);
    return undefined;
  }
  const differs = differences(finished.job, job);
  if (target.resume && differs.length > 0) throw otherExport(differs, '--restart');
  if (target.resume) return { ...finished.end, file, isResumed: true };
  const { rows } = finished.end.claim;
  throw new RelctlError('partial', `an export to ${target.file} was interrupted after it read ${rows} rows`, {
    facts: { code: 'interrupted-export' },
    advice: 'Use --restart instead of --resume to discard it.',
    hint: `${target.command} --resume`,
  });
}

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
export async function readToStagingFile(plan: Omit<ExportPlan, 'writer'>): Promise<StagedList> {
  const { target, job } = plan;
  const file = stagingFileOf(target.file);
  const list = resumedStagingFile(target, file, job);
  if (list !== undefined) return list;
  const end = { claim: undefined as Claim | undefined, startedAt: target.startedAt, passes: 0, isResumed: false };
  const ended = (): End => {
    const { claim, ...others } = end;
    if (claim === undefined) throw new RelctlError('bug', 'a staging file ended without a claim');
    return { claim, ...others };
  };
  async function* pages(resume: WalkState | undefined): AsyncGenerator<Page, Claim> {
    end.claim = yield* plan.pages(resume);
    return end.claim;
  }
  await runExport({
    ...plan,
    target: { ...target, file },
    pages,
    writer(before) {
      end.passes += 1;
      end.isResumed = before !== undefined;
      if (end.isResumed) end.startedAt = readExportJournal(filesOf(file).journal)?.startedAt ?? end.startedAt;
      return Promise.resolve(stagingWriter(job, ended));
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
    return readExportJournal(filesOf(file).journal) !== undefined;
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
export async function refuseStaged(exportTarget: ExportTarget): Promise<void> {
  const target = { ...exportTarget, file: targetOf(exportTarget.file) };
  const file = stagingFileOf(target.file);
  if (!isStale(file)) return;
  const remove = (): void => {
    if (!isStale(file)) return;
    if (!target.restart) throw stagedBefore(target);
    removeStagingFile(file);
    throwAway(file);
  };
  await withLock(`${file}.run`, remove, lockOf(target));
}

function stagedBefore({ file, resume, command }: ExportTarget): RelctlError {
  const what = 'another export that reads all rows before it writes (such as --sort)';
  return new RelctlError(resume ? 'usage' : 'partial', `${what} to ${file} was interrupted`, {
    facts: { code: resume ? 'journal' : 'interrupted-export' },
    advice: 'Use --resume with the same flags as before, or discard what it read.',
    hint: `${command} --restart`,
  });
}
