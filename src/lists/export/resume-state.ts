import { statSync } from 'node:fs';
import type { WalkState } from '../../client/paging.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { removeOwn } from '../../state/own-file.js';
import { firstPages, readExportJournal, walkStateOf, type JournalState } from './journal.js';
import { remember, type ListRecord } from '../../state/output-registry.js';
import { countSound, type Checkpoint, type FileCheck } from './part.js';
import { differences, filesOf, type ExportPlan, type ExportTarget } from './export-plan.js';

/** The part of an interrupted export that is intact. */
export interface ResumeState {
  readonly journal: JournalState;
  /** Where the reading of pages stopped. */
  readonly state: WalkState;
  /** Where writing of the partial file resumes. */
  readonly last: Checkpoint;
}

/** What an earlier run left. */
export interface EarlierRun {
  /** What this run resumes; undefined when it begins a new export. */
  readonly resumeState: ResumeState | undefined;
  /** Pages that the journal has and the partial file does not, or not as they were written. */
  readonly damagedPages: number;
}

const nothing: EarlierRun = { resumeState: undefined, damagedPages: 0 };

const rowsIn = ({ pages }: Pick<JournalState, 'pages'>): number => pages.reduce((total, { rows }) => total + rows, 0);

/** Rows that an earlier run wrote. */
export const rowsBefore = ({ journal }: ResumeState): number => rowsIn(journal);

/** True when the file is the one that an earlier run finished and renamed before it was killed. */
function isUnchangedFile(file: string, { inode, bytes, modifiedMs }: FileCheck): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && stats.ino === inode && stats.size === bytes && stats.mtimeMs === modifiedMs;
}

/**
 * True when an earlier run finished: the file is the one that it wrote, or was removed since. The journal says that the
 * partial file is complete before it is renamed, so when there is no partial file, it was renamed.
 */
function isDone(file: string, journal: JournalState | undefined): boolean {
  if (journal?.done === undefined) return false;
  const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
  return isUnchangedFile(file, journal.done) || !(isThere(file) || isThere(filesOf(file).part));
}

/** The error for `--resume` of an export that was interrupted, where it was another one. */
export const otherExport = (differs: readonly string[], hint: string): RelctlError =>
  new RelctlError('usage', `the interrupted export is a different one: ${differs.join('; ')}`, {
    facts: { code: 'journal' },
    advice: 'Use the same flags as before, or discard what it read.',
    hint,
  });

function interrupted({ file, command }: ExportTarget, journal: JournalState, differs: readonly string[]): RelctlError {
  const far = `was interrupted after ${journal.pages.length} pages, ${rowsIn(journal)} rows`;
  const facts = { code: 'interrupted-export' } as const;
  if (differs.length === 0) {
    const hint = `${command} --resume`;
    return new RelctlError('partial', `an export to ${file} ${far}; --restart discards it`, { facts, hint });
  }
  const message = `another export to ${file} ${far}: ${differs.join('; ')}`;
  return new RelctlError('partial', message, { facts, hint: `${command} --restart` });
}

function refuseOther({ target, job }: ExportPlan, journal: JournalState): void {
  const differs = differences(journal.job, job);
  if (!target.resume) throw interrupted(target, journal, differs);
  if (differs.length > 0) throw otherExport(differs, `${target.command} --restart`);
}

function soundPages(part: string, { pages }: JournalState): number {
  try {
    return countSound(part, pages);
  } catch (thrown) {
    if (thrown instanceof RelctlError && thrown.facts.foreignCode === 'ENOENT') return 0;
    throw thrown;
  }
}

function sound({ target }: ExportPlan, whole: JournalState): EarlierRun {
  const journal = firstPages(whole, soundPages(filesOf(target.file).part, whole));
  const state = walkStateOf(journal);
  const last = journal.pages.at(-1);
  const isNone = state === undefined || last === undefined;
  return { resumeState: isNone ? undefined : { journal, state, last }, damagedPages: journal.damagedLines };
}

/** Takes away what a run left beside the target. Throws `local`. */
export function throwAway(file: string): void {
  const files = filesOf(file);
  // In this order: a partial file without a journal is replaced, a journal without its partial file stops the next run.
  removeOwn(files.part);
  removeOwn(files.journal);
}

/** What the registry says of a file with so many rows; undefined where it is not a whole list. */
export const listRecordOf = ({ list }: ExportPlan, rows: number): ListRecord | undefined =>
  list === undefined ? undefined : { of: list, rows };

function journalOf({ file, restart }: ExportTarget): JournalState | undefined {
  try {
    return readExportJournal(filesOf(file).journal);
  } catch (thrown) {
    // With --restart it is removed, whatever it is.
    if (restart) return undefined;
    throw thrown;
  }
}

/** Registers the file of an earlier run that was killed behind its rename. */
function registerDone(plan: ExportPlan, { done, job, ...journal }: JournalState): void {
  const { file, registry } = plan.target;
  if (done === undefined || !isUnchangedFile(file, done)) return;
  const isSame = differences(job, plan.job).length === 0;
  remember(registry, file, isSame ? listRecordOf(plan, rowsIn(journal)) : undefined);
}

/**
 * Finds what this run resumes: the pages of an earlier run, up to the first that is damaged. Throws `partial` when there
 * are some and neither --resume nor --restart was given, `usage` when they are of another export, and `local`.
 */
export function resumeStateOf(plan: ExportPlan): EarlierRun {
  const { file, restart } = plan.target;
  const journal = journalOf(plan.target);
  const isFinished = isDone(file, journal);
  if (journal !== undefined) registerDone(plan, journal);
  if (restart || isFinished) throwAway(file);
  // Without a page there is nothing to resume.
  if (restart || isFinished || journal === undefined || journal.pages.length === 0) return nothing;
  refuseOther(plan, journal);
  return sound(plan, journal);
}
