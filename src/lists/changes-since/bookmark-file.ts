import { createHash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt, makeFolders } from '../../state/own-file.js';
import type { TemporaryFile } from '../../state/temporary-file.js';
import { openPartFile } from '../../state/part-file.js';
import { digestBytes } from './digest.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { foldersOf } from '../../profiles/store/folders.js';
import type { Context } from '../../kit/host/context.js';
import { lockUntilClose, type LockFlags } from '../../kit/host/progress.js';
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
  throw usage(flag, `${flag} must have 1 to 64 letters, digits and . _ - @, and begin with a letter or digit`);
}

/** The folder of all bookmarks, with a folder for each profile. */
export function bookmarksFolder({ environment }: Context): string {
  return join(foldersOf(environment).state, 'bookmarks');
}

/** Ending of the files of bookmarks. */
export const bookmarkEnding = '.bookmark';

/** The files of a name in a profile. */
export function filesFor(context: Context, profile: string, name: string): BookmarkFiles {
  const base = join(bookmarksFolder(context), profile, name);
  return { kept: `${base}${bookmarkEnding}`, lock: `${base}.lock` };
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
export function checkJob(bookmark: Bookmark | undefined, { name, job }: { name: string; job: Job }): void {
  const differs = bookmark === undefined ? [] : jobDifferences(bookmark.job, job);
  if (differs.length === 0) return;
  throw new RelctlError('usage', `${name} belongs to another job: ${differs.join('; ')}`, {
    facts: { code: 'bookmark', path: name },
    advice: 'Use another name, or list the bookmarks to see what this one is for.',
    hint: 'relctl bookmark list',
  });
}

/** What a job asks for, by name: a bookmark is used for the same job only. */
export type Job = Readonly<Record<string, string>>;

/** What `--changes-since` remembers of a list under a name. */
export interface Bookmark {
  readonly profile: string;
  readonly name: string;
  readonly job: Job;
  /** This machine's clock when it was written, ISO 8601. */
  readonly writtenAt: string;
}

/** Bytes of a GUID. */
export const idBytes = 16;

/** Bytes of a row: the Id, which is a GUID, and the digest behind it. */
export const rowBytes = idBytes + digestBytes;

/** Rows whose Id is not a GUID: Id and digest in base64. */
export type OtherRows = readonly (readonly [id: string, digest: string])[];

/** Rows to be written, those of GUIDs some at a time; of two with the same Id the later one counts. */
export interface RowsToWrite {
  readonly others: OtherRows;
  pieces(): Iterable<Uint8Array>;
  /** The lines of what is kept of the records. */
  readonly records?: Pick<TemporaryFile, 'length' | 'pieces'> | undefined;
  /** Closes what the rows are read from, which what is written may replace. */
  close(): void;
}

/**
 * What the first line of the file says. Rows of GUIDs are behind it, in version 2 so many bytes of lines, each the Id of a row
 * and what is kept of its record, as JSON, and then a SHA-256 hash of all bytes before it.
 */
export type Head = Bookmark & { readonly others: OtherRows } & (
    { readonly version: 1 } | { readonly version: 2; readonly records: number }
  );

/** Writes and syncs a bookmark with its rows, completely or not at all; only its owner can read it. Throws `local`. */
export function writeBookmarkFile(file: string, facts: Bookmark, rows: RowsToWrite): void {
  const { others, records } = rows;
  const form = records === undefined ? ({ version: 1 } as const) : ({ version: 2, records: records.length } as const);
  const head = Buffer.from(`${JSON.stringify({ ...form, ...facts, others } satisfies Head)}\n`);
  makeFolder(dirname(file));
  const part = openPartFile(file);
  try {
    const check = createHash('sha256');
    const write = (bytes: Uint8Array): void => {
      check.update(bytes);
      part.write(bytes);
    };
    write(head);
    for (const piece of rows.pieces()) write(piece);
    for (const piece of records?.pieces() ?? []) write(piece);
    part.write(check.digest());
    rows.close();
    part.putAs(file);
  } finally {
    part.discard();
  }
}

/** Makes the folder of such files, for its owner alone. Throws `local`. */
function makeFolder(folder: string): void {
  attempt(folder, () => {
    makeFolders(folder);
    if (process.platform !== 'win32') chmodSync(folder, 0o700);
  });
}

const textOr = (value: string | undefined): string => value ?? 'nothing';

/** In words how a job differs from the one that was kept; empty when it does not. */
export function jobDifferences(saved: Job, requested: Job): readonly string[] {
  const names = new Set([...Object.keys(saved), ...Object.keys(requested)]);
  return [...names].flatMap((name) =>
    saved[name] === requested[name] ? [] : [`${name} was ${textOr(saved[name])}, is ${textOr(requested[name])}`],
  );
}
