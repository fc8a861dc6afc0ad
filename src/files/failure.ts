import { RelctlError } from '../errors/relctl-error.js';
import { codeOf } from '../errors/code-of.js';

const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'the folder does not exist',
  EEXIST: 'something else is there',
  ENOTDIR: 'part of the path is no folder',
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
  return new RelctlError(ofMachine.has(code) ? 'local' : 'usage', `${file} ${why}`, { facts: { code, path: file } });
}

/** The error for a file that cannot be written. */
function unwritable(file: string, thrown: unknown): RelctlError {
  if (thrown instanceof RelctlError) return thrown;
  const code = codeOf(thrown) ?? 'write';
  return new RelctlError('local', `${file} cannot be written: ${words[code] ?? code}`, { facts: { code, path: file } });
}

/** Does work on a file; its failure becomes a `local` error. */
export function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw unwritable(file, thrown);
  }
}
