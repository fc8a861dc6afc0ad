import { closeSync, constants, fstatSync, mkdirSync, openSync, rmSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, RelctlError } from '../core/errors/relctl-error.js';

const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'the folder does not exist',
  EEXIST: 'it already exists',
  ENOTDIR: 'part of the path is not a folder',
  EISDIR: 'it is a folder',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk failed',
  EMFILE: 'too many files are open',
  EFBIG: 'the file would be too large',
  ELOOP: 'it is a symbolic link',
  ENAMETOOLONG: 'the name is too long',
  EXDEV: 'it is on another file system',
  ENXIO: 'it is a pipe or a device',
};

/** Why the system refused something of a file or a folder: its code, and the same in words. */
export function refusedBecause(thrown: unknown): { readonly code: string; readonly words: string } {
  const code = codeOf(thrown) ?? 'unknown reason';
  return { code, words: words[code] ?? code };
}

/** Why a file cannot be read: the code of the system, and a clause that follows the name of the file. */
export function unreadableBecause(thrown: unknown): { readonly code: string; readonly words: string } {
  const { code, words: why } = refusedBecause(thrown);
  return { code, words: `cannot be read: ${code === 'ENOENT' ? 'there is no such file' : why}` };
}

/** Failures that are none of the file that was named: another one would fail as well. */
const ofMachine: ReadonlySet<string> = new Set(['EIO', 'EMFILE', 'ENFILE', 'ENOMEM']);

/**
 * The error for a file that somebody named to be read: `usage`, whatever command it was named to, and `local` when the
 * machine fails rather than the file. What is an error of ours stays one.
 */
export function unreadableInput(file: string, thrown: unknown): RelctlError {
  if (thrown instanceof RelctlError) return thrown;
  const { code, words: why } = unreadableBecause(thrown);
  return new RelctlError(ofMachine.has(code) ? 'local' : 'usage', `${file} ${why}`, {
    facts: { foreignCode: code, path: file },
  });
}

function unwritable(file: string, thrown: unknown): RelctlError {
  if (thrown instanceof RelctlError) return thrown;
  const code = codeOf(thrown) ?? 'write';
  return new RelctlError('local', `${file} cannot be written: ${words[code] ?? code}`, {
    facts: { foreignCode: code, path: file },
  });
}

/** Does work on a file; its failure becomes a `local` error. */
export function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw unwritable(file, thrown);
  }
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Makes a folder, and those above it that are missing, for the user alone unless another mode is given. Throws what the
 * system says. Node's own way to make several tries for ever where the system says that a folder above is missing, although
 * it is there: below /proc, and in a folder that was removed.
 */
export function makeFolders(folder: string, mode = 0o700): void {
  try {
    mkdirSync(folder, { mode });
  } catch (thrown) {
    if (isFolder(folder)) return;
    const above = dirname(folder);
    if (codeOf(thrown) !== 'ENOENT' || above === folder) throw thrown;
    makeFolders(above, mode);
    makeOne(folder, mode);
  }
}

/** Another process may make the same folder. */
function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (thrown) {
    if (!isFolder(folder)) throw thrown;
  }
}

/** Nobody else can have put it there: a plain file under one name that belongs to who runs this. */
function isOwn(stats: Stats): boolean {
  return stats.isFile() && stats.nlink === 1 && (process.getuid === undefined || stats.uid === process.getuid());
}

/**
 * Opens a file that an earlier run of ours left, to read and to write. A link, a pipe, a file with a second name or one of
 * another user is refused: what it holds is not ours to continue. Throws `local`.
 */
export function openOwn(file: string): number {
  // Without NONBLOCK a pipe that nobody reads would be waited for.
  const handle = attempt(file, () => openSync(file, O_RDWR | O_NOFOLLOW | O_NONBLOCK));
  if (isOwn(fstatSync(handle))) return handle;
  closeSync(handle);
  throw new RelctlError('local', `${file} is not the file that relctl wrote here`, {
    facts: { path: file, code: 'foreign' },
    advice: 'Move it away, or start over.',
    hint: '--restart',
  });
}

/**
 * Makes a file anew under a name that is ours. Whatever stands there is taken away, not written to: a link planted under
 * that name leads nowhere. Throws `local`.
 */
export function createOwn(file: string, mode: number): number {
  return attempt(file, () => {
    rmSync(file, { force: true });
    return openSync(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  });
}

/** Takes a file away, if it is there. Throws `local`. */
export function removeOwn(file: string): void {
  attempt(file, () => rmSync(file, { force: true }));
}

/** Who runs a program: the numbers of the user and of all groups. */
export interface Runner {
  readonly uid: number;
  readonly groups: readonly number[];
}

/** What says who may do what with a file. */
export type Access = Pick<Stats, 'uid' | 'gid' | 'mode'>;

/** Who runs this process; undefined where files have no such owners and modes, on Windows. */
export function runnerHere(): Runner | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  return { uid, groups: [process.getgid?.() ?? -1, ...(process.getgroups?.() ?? [])] };
}

/** True for what belongs to somebody who is neither the runner nor root: that user can change it at any time. */
export const isForeign = ({ uid }: Access, runner: Runner): boolean => uid !== runner.uid && uid !== 0;

/**
 * True for a folder in which others than its owner and root can put a file in the place of another. Where it is sticky, as /tmp
 * is, they cannot.
 */
export const isOpenFolder = ({ mode }: Access): boolean => (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
