import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { RelctlError, type Remedy } from '../../core/errors/relctl-error.js';
import { unreadableBecause, isForeign, isOpenFolder, runnerHere } from '../../state/own-file.js';
import type { Access, Runner } from '../../state/own-file.js';
import { shellWord } from '../../core/text/text.js';
import { isObject, orElse } from '../../core/values/value.js';

/** The profile file as it is stored: what this version does not know stays where it is. */
export interface ProfileFile {
  readonly version: number;
  /** Profile in use when none is named. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [unknown: string]: unknown;
}

const maxBytes = 1024 * 1024;

/** An empty store. */
export const emptyFile: ProfileFile = { version: 1, profiles: {} };

function unusable(file: string, reason: string, remedy: Remedy = {}): RelctlError {
  return new RelctlError('profile', `the profile file ${file} ${reason}`, {
    facts: { path: file },
    hint: `ls -l ${shellWord(file)}`,
    ...remedy,
  });
}

const { O_NONBLOCK, O_RDONLY } = constants;

const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

const irregular: Remedy = { advice: 'Move it away, or replace it with a regular file.' };

/** Opens the file, which may be at the end of a link, as a mounted Secret has it; undefined when it is not there. */
function opened(file: string): number | undefined {
  try {
    // Without NONBLOCK a pipe that nobody writes would be waited for.
    return openSync(file, O_RDONLY | O_NONBLOCK);
  } catch (thrown) {
    const { code, words } = unreadableBecause(thrown);
    if (code === 'ELOOP') throw unusable(file, 'is a circular link', irregular);
    if (!absent.has(code)) throw unusable(file, words);
    // What is written there would take the place of the link.
    if (orElse(() => readlinkSync(file), undefined) !== undefined) throw unusable(file, 'is a broken link', irregular);
    return undefined;
  }
}

/** True for what a group of the runner may read and only root can change, as a Secret is mounted for it (fsGroup). */
const isMounted = ({ uid, gid, mode }: Access, { groups }: Runner): boolean =>
  uid === 0 && (mode & 0o777) === 0o440 && groups.includes(gid);

/**
 * Checks who has access to a profile file and its folder. Who can write the file can make relctl run a program, by a reference:
 * nobody but the runner and root must, not even where root runs it. Throws `profile`.
 */
export function checkAccess(
  file: string,
  access: { readonly file: Access; readonly folder: Access },
  runner: Runner,
): void {
  const folder = dirname(file);
  if (isForeign(access.file, runner))
    throw unusable(file, 'belongs to another user', {
      advice: 'Run relctl as that user, or use your own profiles in another folder, with RELCTL_CONFIG_DIR.',
    });
  if ((access.file.mode & 0o077) !== 0 && !isMounted(access.file, runner))
    throw unusable(file, 'can be read by other users', { hint: `chmod 600 ${shellWord(file)}` });
  if (isForeign(access.folder, runner))
    throw unusable(file, `is in a folder of another user, ${folder}`, { hint: `ls -ld ${shellWord(folder)}` });
  if (isOpenFolder(access.folder))
    throw unusable(file, `can be replaced by other users, who may write to ${folder}`, {
      hint: `chmod go-w ${shellWord(folder)}`,
    });
}

function check(file: string, stats: Stats): void {
  if (!stats.isFile()) throw unusable(file, 'is not a regular file', irregular);
  if (stats.size > maxBytes) throw unusable(file, `is larger than ${maxBytes} bytes`);
  const runner = runnerHere();
  if (runner === undefined) return;
  // Who can change the link can lead to another file, and who can write at its end can put one there.
  for (const path of new Set([file, realpathSync(file)]))
    checkAccess(path, { file: stats, folder: statSync(dirname(path)) }, runner);
}

/** Strict: a byte that is read as something else would be written back as something else. A byte order mark is none of it. */
function parse(file: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw unusable(file, 'is damaged: it is not JSON in UTF-8; relctl did not change it', {
      advice: 'Correct it by hand, or move it away and add the profiles again.',
      hint: process.platform === 'win32' ? undefined : `\${EDITOR:-vi} ${shellWord(file)}`,
    });
  }
}

function bytesOf(file: string): Buffer | undefined {
  const handle = opened(file);
  if (handle === undefined) return undefined;
  try {
    check(file, fstatSync(handle));
    return readFileSync(handle);
  } catch (thrown) {
    throw thrown instanceof RelctlError ? thrown : unusable(file, unreadableBecause(thrown).words);
  } finally {
    closeSync(handle);
  }
}

function holdsProfiles(content: unknown): content is Record<string, unknown> {
  if (!isObject(content)) return false;
  const { profiles, current } = content;
  if (current !== undefined && typeof current !== 'string') return false;
  return isObject(profiles) && Object.values(profiles).every(isObject);
}

/** Reads the profile file; one that is not there is empty. Throws `profile` and never changes or shows what is in it. */
export function readProfileFile(file: string): ProfileFile {
  const bytes = bytesOf(file);
  if (bytes === undefined) return emptyFile;
  const content = parse(file, bytes);
  if (!holdsProfiles(content)) {
    throw unusable(file, 'does not contain profiles; relctl did not change it', {
      advice: 'Move it away and add the profiles again.',
    });
  }
  if (content['version'] !== 1)
    throw unusable(file, 'was written by another version of relctl; this one did not change it');
  // Everything that is used below was checked; what is unknown passes through.
  return content as unknown as ProfileFile;
}
