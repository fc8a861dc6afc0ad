import { join } from 'node:path';
import { RelctlError, type Remedy } from '../../errors/relctl-error.js';
import { jobDifferences, makeFolder, type Job, type BookmarkState } from '../../export/since/bookmark-file.js';
import { takeLock, type LockOptions } from '../../files/locks/lock.js';
import { foldersOf } from '../../profiles/store/folders.js';
import type { Context } from '../../host/context.js';
import { showWait, type WaitingFlags } from '../../host/waiting.js';
import { serviceOf } from '../../cli/session/service-of.js';
import { usualPeriod, type ListPlan, type ListRun } from '../plan.js';
import { usage } from '../../errors/usage.js';

/** The files of one bookmark or snapshot. */
export interface BookmarkFiles {
  readonly kept: string;
  /** The window of a run that is under way. */
  readonly pending: string;
  readonly lock: string;
}

const nameForm = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/** Throws `usage` for a text that cannot name a bookmark. */
export function checkBookmarkName(name: string, flag: string): void {
  if (nameForm.test(name)) return;
  throw usage(flag, `${flag} is made of letters, digits and . _ - @, at most 64, beginning with a letter or digit`);
}

/** The folder of all bookmarks, with a folder for each profile. */
export function bookmarksFolder({ environment }: Context): string {
  return join(foldersOf(environment.platform, environment.variables).state, 'bookmarks');
}

/** Ending of the files of bookmarks and snapshots. */
export const keptEnding = '.bookmark';

/** The files of a name in a profile. */
export function filesFor(context: Context, profile: string, name: string): BookmarkFiles {
  const base = join(bookmarksFolder(context), profile, name);
  return { kept: `${base}${keptEnding}`, pending: `${base}.pending`, lock: `${base}.lock` };
}

/** Locks a name until the command ends, because two runs of a job would write the same rows. Throws `locked` and `local`. */
export async function lockName(
  context: Context,
  { files, name }: { readonly files: BookmarkFiles; readonly name: string },
  flags: WaitingFlags & { readonly 'lock-wait'?: number | undefined } = {},
): Promise<void> {
  makeFolder(join(files.lock, '..'));
  const { signal } = context;
  const patienceMs = flags['lock-wait'] ?? 0;
  const onWait: LockOptions['onWait'] = (wait) => showWait(context, flags, wait);
  context.onClose(await takeLock(files.lock, { patienceMs, what: `the bookmark ${name} is`, signal, onWait }));
}

/** What makes a list the same job from run to run, whatever its period. */
export function jobOf({ session }: ListRun, { operation, input, period = usualPeriod }: ListPlan): Job {
  const { url: service, ...where } = serviceOf(session);
  const own = Object.entries(input).filter(([name]) => name !== period.from && name !== period.to);
  return {
    operation: operation.name,
    service,
    ...where,
    ...Object.fromEntries(own.map(([name, value]) => [`parameter ${name}`, JSON.stringify(value)])),
  };
}

/** Throws `usage`, with what differs, when a name is already used for another kind or another job. */
export function checkJob(
  kept: Pick<BookmarkState, 'kind' | 'job'> | undefined,
  kind: BookmarkState['kind'],
  { name, job }: { name: string; job: Job },
): void {
  if (kept === undefined) return;
  const remedy: Remedy = {
    advice: 'Use another name, or look at what this one is for.',
    hint: `relctl bookmark show ${name}`,
  };
  if (kept.kind !== kind) {
    const flag = kept.kind === 'bookmark' ? '--since-last' : '--changes-since';
    throw new RelctlError('usage', `${name} is used by ${flag} already`, {
      facts: { code: 'bookmark', path: name },
      ...remedy,
    });
  }
  const differs = kept.job === undefined ? [] : jobDifferences(kept.job, job);
  if (differs.length === 0) return;
  throw new RelctlError('usage', `${name} belongs to another job: ${differs.join('; ')}`, {
    facts: { code: 'bookmark', path: name },
    ...remedy,
  });
}
