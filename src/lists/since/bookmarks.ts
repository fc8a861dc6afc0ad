import type { RecordValue } from '../../plain/value.js';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { boolean, dateTime, int, string } from '../../contract/scalars.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { writeBookmarkFile, type BookmarkState } from '../../export/since/bookmark-file.js';
import { readBookmarkFile } from '../../export/since/read-bookmark.js';
import { readPending } from '../../export/since/pending.js';
import { countOf, noRows } from '../../export/since/rows.js';
import { attempt } from '../../files/failure.js';
import { firstMoment, readMoment } from '../../lexical/time/moment.js';
import { nearest } from '../../lexical/nearest.js';
import { chosenProfile } from '../../profiles/resolve.js';
import type { Context } from '../../host/context.js';
import type { ConnectionFlags } from '../../cli/flags/connection.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { profileStore } from '../../cli/session/profile-store.js';
import { openOutput } from '../../cli/output/open-output.js';
import { profileOf } from '../../cli/session/session.js';
import { note } from '../../host/notes.js';
import { doubtOf, zoneName } from '../../cli/session/times.js';
import { bookmarksFolder, checkBookmarkName, filesFor, keptEnding, lockName } from './bookmark-files.js';
import { perhaps, usage } from '../../errors/usage.js';
import { codeOf } from '../../errors/code-of.js';

type ProfileFlag = Pick<ConnectionFlags, 'profile'>;

const fields = {
  Profile: inRole('key', req(string, 'Profile that it is of.')),
  Name: inRole('key', req(string, 'Name of the job.')),
  Kind: req(string, 'since-last for a bookmark, changes-since for a snapshot.'),
  Operation: opt(string, 'Operation that the job calls; none before its first run.'),
  ServerTime: opt(
    dateTime,
    "The service's clock when the last run asked: where the next window begins, less the overlap.",
  ),
  Rows: req(int, 'Records that are remembered.'),
  WrittenAt: req(dateTime, "This machine's clock when it was moved last."),
  Interrupted: req(boolean, 'A run of it was interrupted: --resume reads the same window.'),
} as const;

/** What `bookmark list` prints. */
export const BookmarkLine = recordWithoutPresence('Bookmark', 'A bookmark or snapshot in a list.', fields);

/** What `bookmark show` prints. */
export const ShownBookmark = recordWithoutPresence('Bookmark', 'A bookmark or snapshot.', {
  ...fields,
  Job: opt(string, 'What makes it the same job from run to run.'),
  File: req(string, 'Where it is kept.'),
});

const timeText = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString().replace('.000Z', 'Z');

function lineOf(context: Context, kept: BookmarkState): RecordValue {
  const { kind, profile, name, job, serverMs, writtenAt, rows } = kept;
  const pending = readPending(filesFor(context, profile, name).pending);
  return {
    Profile: profile,
    Name: name,
    Kind: kind === 'bookmark' ? 'since-last' : 'changes-since',
    Operation: job?.['operation'] ?? null,
    ServerTime: timeText(serverMs),
    Rows: countOf(rows),
    WrittenAt: writtenAt,
    Interrupted: pending !== undefined,
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
    .filter((entry) => entry.endsWith(keptEnding))
    .map((entry) => entry.slice(0, -keptEnding.length));
}

function profileName(context: Context, { profile }: ProfileFlag): string {
  const store = profileStore(context);
  return chosenProfile({ store, profile, variables: context.environment.variables });
}

/** Prints a line for each bookmark and snapshot of the profile that is named, or of all profiles. Throws `local`. */
export async function listBookmarks(context: Context, flags: ProfileFlag & OutputFlags): Promise<void> {
  const folder = bookmarksFolder(context);
  const profiles = flags.profile === undefined ? attempt(folder, () => entriesOf(folder)) : [flags.profile];
  const output = await openOutput(context, undefined, { flags, record: BookmarkLine, shape: 'list' });
  for (const profile of profiles) {
    const kept = namesOf(context, profile).map((name) => readBookmarkFile(filesFor(context, profile, name).kept));
    await output.write(kept.filter((each) => each !== undefined).map((each) => lineOf(context, each)));
  }
  await output.finish();
}

function unknown(context: Context, profile: string, name: string): RelctlError {
  const near = nearest(name, namesOf(context, profile));
  return new RelctlError('usage', `there is no bookmark '${name}' in profile '${profile}'`, {
    facts: { path: 'NAME', profile },
    hint: 'relctl bookmark list',
    ...perhaps(name, near),
  });
}

/** Prints a bookmark or snapshot with its job. Throws `usage` for an unknown name, `profile` and `local`. */
export async function showBookmark(context: Context, name: string, flags: ProfileFlag & OutputFlags): Promise<void> {
  checkBookmarkName(name, 'NAME');
  const profile = profileName(context, flags);
  const files = filesFor(context, profile, name);
  const kept = readBookmarkFile(files.kept);
  if (kept === undefined) throw unknown(context, profile, name);
  const { job } = kept;
  const output = await openOutput(context, undefined, { flags, record: ShownBookmark, shape: 'single' });
  await output.write([
    { ...lineOf(context, kept), Job: job === undefined ? null : JSON.stringify(job), File: files.kept },
  ]);
  await output.finish();
}

async function instantOf(context: Context, text: string, flags: ProfileFlag): Promise<number> {
  const zone = zoneName(profileOf(context, flags));
  const given = { text, flag: 'TIME', side: 'earlier' } as const;
  const moment = readMoment(text, { nowMs: context.clock.date().getTime(), zone, side: given.side });
  const doubt = moment === undefined ? undefined : doubtOf(moment, given, zone);
  if (doubt !== undefined) await note(context, {}, doubt);
  if (moment !== undefined) return Date.parse(moment.text === firstMoment ? `${firstMoment}Z` : moment.text);
  throw usage('TIME', `TIME is a time such as 2026-01-31T09:30, 2026-01-31, today or -2h, not '${text}'`);
}

/**
 * Moves a bookmark, or makes one for any job. The rows that it remembers are removed, so that they are written again. Throws
 * `usage` for a text that is not a time and for a snapshot, `locked`, `profile` and `local`.
 */
export async function setBookmark(
  context: Context,
  { name, time }: { readonly name: string; readonly time: string },
  flags: ProfileFlag,
): Promise<void> {
  checkBookmarkName(name, 'NAME');
  const profile = profileName(context, flags);
  const serverMs = await instantOf(context, time, flags);
  const files = filesFor(context, profile, name);
  await lockName(context, { files, name });
  const kept = readBookmarkFile(files.kept);
  if (kept?.kind === 'snapshot') {
    throw usage('NAME', `${name} is a snapshot of --changes-since, which has no time`, {
      advice: 'Without it every record is new again.',
      hint: `relctl bookmark remove ${name}`,
    });
  }
  const writtenAt = context.clock.date().toISOString();
  writeBookmarkFile(files.kept, { kind: 'bookmark', profile, name, job: kept?.job, serverMs, writtenAt, rows: noRows });
}

/** Removes a bookmark or snapshot, also a damaged one. Throws `usage` for an unknown name, `locked` and `local`. */
export async function removeBookmark(context: Context, name: string, flags: ProfileFlag): Promise<void> {
  checkBookmarkName(name, 'NAME');
  const profile = profileName(context, flags);
  const files = filesFor(context, profile, name);
  if (!namesOf(context, profile).includes(name)) throw unknown(context, profile, name);
  await lockName(context, { files, name });
  attempt(files.kept, () => {
    rmSync(files.pending, { force: true });
    rmSync(files.kept, { force: true });
  });
}
