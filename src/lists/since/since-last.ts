import { isRecord, type RecordValue } from '../../plain/value.js';
import { existsSync } from 'node:fs';
import { filesOf } from '../../export/plan.js';
import { jobDifferences } from '../../export/since/bookmark-file.js';
import { readBookmarkFile } from '../../export/since/read-bookmark.js';
import { readPending, type Pending, type Window } from '../../export/since/pending.js';
import { startOf, usualOverlapMs } from '../../export/since/window.js';
import type { PeriodFlags } from '../../cli/flags/lists/period.js';
import { endOfTime } from '../../cli/flags/lists/period.js';
import { refuseWith } from '../../cli/operations/legacy.js';
import { idIn, outputFileOf, type ListFlags, type ListPlan, type ListRun } from '../plan.js';
import { note } from '../../host/notes.js';
import { periodEnd } from '../../cli/session/times.js';
import { WindowMiddleware, type WindowRun } from './window-middleware.js';
import { checkBookmarkName, checkJob, filesFor, jobOf, lockName } from './bookmark-files.js';
import { usage } from '../../errors/usage.js';
import { shellWord } from '../../lexical/shell/command.js';

/** Flags of a list of changes that may have a bookmark. */
export type SinceFlags = ListFlags &
  PeriodFlags & {
    /** The parameter that says where the first window begins, where --from does not: `--param from`. */
    readonly fromFlag?: string;
  };

/** A period, as two dateTimes. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** When a record was changed last; undefined where it does not say. */
export function modifiedAt(record: RecordValue): string | undefined {
  const audit = record['AuditData'];
  const stamp = isRecord(audit) ? audit['ModifiedAt'] : undefined;
  return typeof stamp === 'string' ? stamp : undefined;
}

async function firstFrom(run: ListRun, { from, fromFlag }: SinceFlags, name: string): Promise<string> {
  if (from !== undefined) return periodEnd(run, { text: from, flag: fromFlag ?? '--from', side: 'earlier' });
  const everything = fromFlag === undefined ? '--from 0001-01-01' : `${fromFlag}=0001-01-01`;
  throw usage('--since-last', `there is no bookmark '${name}' in profile '${run.session.profile.name}' yet`, {
    advice: `Add ${fromFlag ?? '--from'} with a time to the first run; ${everything} takes everything.`,
    hint: everything,
  });
}

/** Path of the file that rows go to; empty for stdout. */
const fileOf = ({ context }: ListRun, flags: SinceFlags): string => outputFileOf({ context, flags }) ?? '';

async function windowOf(
  run: ListRun,
  flags: SinceFlags,
  windowRun: Pick<WindowRun, 'name' | 'kept' | 'job' | 'overlapMs'>,
): Promise<Window> {
  const { name, kept, job, overlapMs } = windowRun;
  const bookmarkMs = kept?.serverMs;
  const where = { job, to: endOfTime, file: fileOf(run, flags) };
  if (bookmarkMs === undefined) return { ...where, from: await firstFrom(run, flags, name), bookmarkMs: null };
  if (flags.from !== undefined) {
    const { fromFlag = '--from' } = flags;
    throw usage(fromFlag, `${fromFlag} is for a first run: there is a bookmark '${name}' already`, {
      advice: `Leave ${fromFlag} out, or move the bookmark.`,
      hint: `relctl bookmark set ${name} ${shellWord(flags.from)}`,
    });
  }
  return { ...where, from: startOf(bookmarkMs, overlapMs), bookmarkMs };
}

/**
 * What an interrupted run left, when this run resumes it. A run to another file says nothing about the rows in this file, or
 * when they were read.
 */
function pendingOf(run: ListRun, flags: SinceFlags, left: Pending | undefined): Pending | undefined {
  if (flags.resume !== true || left?.clock === undefined) return undefined;
  return left.window.file === fileOf(run, flags) ? left : undefined;
}

/** What an unfinished run of the same job and bookmark left. */
function leftBy({ files, job, kept }: Pick<WindowRun, 'files' | 'job' | 'kept'>): Pending | undefined {
  const left = readPending(files.pending);
  if (left === undefined || jobDifferences(left.window.job, job).length > 0) return undefined;
  return left.window.bookmarkMs === (kept?.serverMs ?? null) ? left : undefined;
}

/** The same window, which begins as early as an unfinished run found out that it must. */
const reaching = (window: Window, left: Pending | undefined): Window =>
  left?.window.backMs === undefined ? window : { ...window, backMs: left.window.backMs };

/** Writes a note that an interrupted export is not resumed, where there is one. */
async function sayBegunAnew(run: ListRun, flags: SinceFlags, name: string): Promise<void> {
  const file = fileOf(run, flags);
  if (file === '' || ![file, `${file}.spool`].some((each) => existsSync(filesOf(each).journal))) return;
  await note(
    run.context,
    flags,
    `what the interrupted run of ${name} remembered is gone, or of another window: all of it is read again`,
  );
}

/** What a run needs before its first call. Throws as `sinceLast` does. */
async function runOf(
  run: ListRun,
  flags: SinceFlags & { readonly 'since-last': string },
  planFor: (period: Period) => ListPlan,
): Promise<WindowRun> {
  const name = flags['since-last'];
  const overlapMs = flags.overlap ?? usualOverlapMs;
  const files = filesFor(run.context, run.session.profile.name, name);
  if (!flags.envelope) await lockName(run.context, { files, name }, run.flags);
  const kept = readBookmarkFile(files.kept);
  const plain = planFor({ from: '', to: '' });
  const job = jobOf(run, plain);
  checkJob(kept, 'bookmark', { name, job });
  const left = leftBy({ files, job, kept });
  const pending = pendingOf(run, flags, left);
  const planned = pending?.window ?? (await windowOf(run, flags, { name, kept, job, overlapMs }));
  const window = reaching(planned, left);
  const { stampOf = () => undefined, showsAll = true } = plain;
  const probe = showsAll ? undefined : (from: string): RecordValue => planFor({ from, to: window.to }).input;
  const beginsAnew = flags.resume === true && pending === undefined;
  return {
    run,
    name,
    files,
    kept,
    job,
    overlapMs,
    window,
    pending,
    facts: { idOf: idIn(plain), stampOf },
    probe,
    beginsAnew,
  };
}

/**
 * The plan of a list from its bookmark on. Throws `usage` for flags that give a part of the list, a first run without --from
 * and a bookmark of another job, `locked` while another run uses the bookmark, and `local`.
 */
export async function sinceLast(
  run: ListRun,
  flags: SinceFlags & { readonly 'since-last': string },
  planFor: (period: Period) => ListPlan,
): Promise<ListPlan> {
  const name = flags['since-last'];
  refuseWith('--since-last', { '--to': flags.to, '--limit': flags.limit, '--page': flags.page });
  checkBookmarkName(name, '--since-last');
  const windowRun = await runOf(run, flags, planFor);
  if (windowRun.beginsAnew && !flags.envelope) await sayBegunAnew(run, flags, name);
  const { from, to } = windowRun.window;
  const middleware = new WindowMiddleware(windowRun);
  return { ...planFor({ from, to }), middleware, start: middleware.start };
}
