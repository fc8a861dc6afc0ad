import { join } from 'node:path';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { jobDifferences, makeFolder, type Bookmark, type Job } from './bookmark-file.js';
import { foldersOf } from '../../profiles/store/folders.js';
import type { Context } from '../../kit/host/context.js';
import { lockUntilClose, type LockFlags } from '../../kit/host/waiting.js';
import { serviceOf } from '../../kit/session/session.js';
import type { ListPlan, ListRun } from '../plan.js';

/** The files of one bookmark. */
export interface BookmarkFiles {
  readonly kept: string;
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
  return join(foldersOf(environment).state, 'bookmarks');
}

/** Ending of the files of bookmarks. */
export const keptEnding = '.bookmark';

/** The files of a name in a profile. */
export function filesFor(context: Context, profile: string, name: string): BookmarkFiles {
  const base = join(bookmarksFolder(context), profile, name);
  return { kept: `${base}${keptEnding}`, lock: `${base}.lock` };
}

/** Locks a name until the command ends, because two runs of a job would write the same rows. Throws `locked` and `local`. */
export async function lockName(
  context: Context,
  { files, name }: { readonly files: BookmarkFiles; readonly name: string },
  flags: LockFlags = {},
): Promise<void> {
  makeFolder(join(files.lock, '..'));
  await lockUntilClose(context, flags, { lock: files.lock, what: `the bookmark ${name} is` });
}

/** What makes a list the same job from run to run. */
export function jobOf({ session }: ListRun, { operation, input }: ListPlan): Job {
  const { url: service, ...where } = serviceOf(session);
  const parameters = Object.entries(input).map(([name, value]): [string, string] => [
    `parameter ${name}`,
    JSON.stringify(value),
  ]);
  return { operation: operation.name, service, ...where, ...Object.fromEntries(parameters) };
}

/** Throws `usage`, with what differs, when a name is already used for another job. */
export function checkJob(kept: Bookmark | undefined, { name, job }: { name: string; job: Job }): void {
  const differs = kept === undefined ? [] : jobDifferences(kept.job, job);
  if (differs.length === 0) return;
  throw new RelctlError('usage', `${name} belongs to another job: ${differs.join('; ')}`, {
    facts: { code: 'bookmark', path: name },
    advice: 'Use another name, or look at what this one is for.',
    hint: 'relctl bookmark list',
  });
}
