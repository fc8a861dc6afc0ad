import type { RecordValue } from '../../core/values/value.js';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { dateTime, int, string } from '../../contract/scalars.js';
import { RelctlError, perhaps, codeOf } from '../../core/errors/relctl-error.js';
import { openBookmarkFile } from './read-bookmark.js';
import { RowIndex } from './snapshot-rows.js';
import { attempt } from '../../state/own-file.js';
import { nearest } from '../../core/text/text.js';
import { chosenProfile } from '../../profiles/resolve.js';
import type { Context } from '../../kit/host/context.js';
import type { ConnectionFlags, OutputFlags } from '../../kit/flags/common.js';
import { profileStore } from '../../kit/session/profile-store.js';
import { openOutput } from '../../kit/output/open-output.js';
import { bookmarksFolder, checkBookmarkName, filesFor, bookmarkEnding, lockName } from './bookmark-file.js';

type ProfileFlag = Pick<ConnectionFlags, 'profile'>;

/** What `bookmark list` prints. */
export const BookmarkLine = recordWithoutPresence('Bookmark', 'A bookmark of --changes-since.', {
  Profile: inRole('key', req(string, 'Profile that it belongs to.')),
  Name: inRole('key', req(string, 'Name of the job.')),
  Operation: opt(string, 'Operation that the job calls.'),
  Rows: req(int, 'Number of records in its snapshot.'),
  WrittenAt: req(dateTime, 'When relctl last wrote it, by the clock of this machine.'),
});

function lineOf(context: Context, profile: string, name: string): RecordValue | undefined {
  const bookmark = openBookmarkFile(filesFor(context, profile, name).kept);
  if (bookmark === undefined) return undefined;
  const { job, writtenAt } = bookmark;
  const rows = new RowIndex(bookmark.rows);
  rows.close();
  return {
    Profile: profile,
    Name: name,
    Operation: job['operation'] ?? null,
    Rows: rows.size,
    WrittenAt: writtenAt,
  };
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (thrown) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(thrown) ?? '')) return [];
    throw thrown;
  }
}

function namesOf(context: Context, profile: string): readonly string[] {
  return entriesOf(join(bookmarksFolder(context), profile))
    .filter((entry) => entry.endsWith(bookmarkEnding))
    .map((entry) => entry.slice(0, -bookmarkEnding.length));
}

function profileName(context: Context, { profile }: ProfileFlag): string {
  const store = profileStore(context);
  return chosenProfile({ store, profile, variables: context.environment.variables });
}

/** Prints a line for each bookmark of the profile that is named, or of all profiles. Throws `local`. */
export async function listBookmarks(context: Context, flags: ProfileFlag & OutputFlags): Promise<void> {
  const folder = bookmarksFolder(context);
  const profiles = flags.profile === undefined ? attempt(folder, () => entriesOf(folder)) : [flags.profile];
  const output = await openOutput(context, undefined, { flags, record: BookmarkLine, shape: 'list' });
  for (const profile of profiles) {
    const lines = namesOf(context, profile).map((name) => lineOf(context, profile, name));
    await output.write(lines.filter((line) => line !== undefined));
  }
  await output.finish();
}

function unknown(context: Context, profile: string, name: string): RelctlError {
  const near = nearest(name, namesOf(context, profile));
  return new RelctlError('usage', `there is no bookmark '${name}' in profile '${profile}'`, {
    facts: { path: 'NAME', profile },
    namesProfile: true,
    ...perhaps(name, near, 'relctl bookmark list'),
  });
}

/** Removes a bookmark, also a damaged one. Throws `usage` for an unknown name, `locked` and `local`. */
export async function removeBookmark(context: Context, name: string, flags: ProfileFlag): Promise<void> {
  checkBookmarkName(name, 'NAME');
  const profile = profileName(context, flags);
  const files = filesFor(context, profile, name);
  if (!namesOf(context, profile).includes(name)) throw unknown(context, profile, name);
  await lockName(context, { files, name });
  attempt(files.kept, () => rmSync(files.kept, { force: true }));
}
