import { statSync } from 'node:fs';
import type { WalkState } from '../../client/paging.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { removeOwn } from '../../state/own-file.js';
import { differences, firstPages, readJournal, stateOf, type JournalState } from './journal.js';
import { remember, type ListRecord } from '../../state/output-registry.js';
import { countSound, type Checkpoint, type FileCheck } from './part.js';
import { filesOf, type ExportPlan } from './plan.js';

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
  readonly kept: ResumeState | undefined;
  /** Pages that the journal has and the partial file does not, or not as they were written. */
  readonly damagedPages: number;
}

const nothing: EarlierRun = { kept: undefined, damagedPages: 0 };

/** True when the file is the one that an earlier run finished and renamed before it was killed. */
function isUnchangedFile(file: string, { inode, bytes, modifiedMs }: FileCheck): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && stats.ino === inode && stats.size === bytes && stats.mtimeMs === modifiedMs;
}

/**
 * True when an earlier run finished: the file is the one that it wrote, or was removed since. The journal says that the
 * partial file is complete before it is renamed, so when there is no partial file, it was renamed.
 */
function isDone({ file }: ExportPlan, journalState: JournalState | undefined): boolean {
  if (journalState?.done === undefined) return false;
  const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
  return isUnchangedFile(file, journalState.done) || !(isThere(file) || isThere(filesOf(file).part));
}

function interrupted({ file, resumeCommand }: ExportPlan, kept: JournalState, differs: readonly string[]): RelctlError {
  const rows = kept.pages.reduce((total, line) => total + line.rows, 0);
  const far = `was interrupted after ${kept.pages.length} pages, ${rows} rows`;
  const facts = { code: 'interrupted-export' } as const;
  if (differs.length === 0) {
    const hint = `${resumeCommand} --resume`;
    return new RelctlError('partial', `an export to ${file} ${far}; --restart throws it away`, { facts, hint });
  }
  const message = `another export to ${file} ${far}: ${differs.join('; ')}`;
  return new RelctlError('partial', message, { facts, hint: `${resumeCommand} --restart` });
}

function refuseOther(plan: ExportPlan, kept: JournalState): void {
  const differs = differences(kept.job, plan.job);
  if (!plan.resume) throw interrupted(plan, kept, differs);
  if (differs.length === 0) return;
  throw new RelctlError('usage', `the export that was interrupted is another one: ${differs.join('; ')}`, {
    facts: { code: 'journal' },
    advice: 'Use the same flags as then, or throw away what it read.',
    hint: `${plan.resumeCommand} --restart`,
  });
}

function soundPages(part: string, { pages }: JournalState): number {
  try {
    return countSound(part, pages);
  } catch (thrown) {
    if (thrown instanceof RelctlError && thrown.facts.foreignCode === 'ENOENT') return 0;
    throw thrown;
  }
}

function sound(plan: ExportPlan, kept: JournalState): EarlierRun {
  const journal = firstPages(kept, soundPages(filesOf(plan.file).part, kept));
  const state = stateOf(journal);
  const last = journal.pages.at(-1);
  const isNone = state === undefined || last === undefined;
  return { kept: isNone ? undefined : { journal, state, last }, damagedPages: journal.damagedLines };
}

/** Takes away what a run left beside the target. Throws `local`. */
export function throwAway(file: string): void {
  const files = filesOf(file);
  // In this order: a partial file without a journal is replaced, a journal without its partial file stops the next run.
  removeOwn(files.part);
  removeOwn(files.journal);
}

/** The list that an earlier run finished, when it is the one that is wanted now. */
function listOf({ list, job }: ExportPlan, kept: JournalState): ListRecord | undefined {
  if (list === undefined || differences(kept.job, job).length > 0) return undefined;
  return { of: list, rows: kept.pages.reduce((total, { rows }) => total + rows, 0) };
}

function journalOf({ file, restart }: ExportPlan): JournalState | undefined {
  try {
    return readJournal(filesOf(file).journal);
  } catch (thrown) {
    // With --restart it is removed, whatever it is.
    if (restart) return undefined;
    throw thrown;
  }
}

/**
 * Finds what this run resumes: the pages of an earlier run, up to the first that is damaged. Throws `partial` when there
 * are some and neither --resume nor --restart was given, `usage` when they are of another export, and `local`.
 */
export function resumeStateOf(plan: ExportPlan): EarlierRun {
  const { file, restart, traces } = plan;
  const kept = journalOf(plan);
  const isFinished = isDone(plan, kept);
  if (kept?.done !== undefined && isUnchangedFile(file, kept.done)) remember(traces, file, listOf(plan, kept));
  if (restart || isFinished) throwAway(file);
  // Without a page there is nothing to resume.
  if (restart || isFinished || kept === undefined || kept.pages.length === 0) return nothing;
  refuseOther(plan, kept);
  return sound(plan, kept);
}
