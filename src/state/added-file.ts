import { accessSync, closeSync, constants, existsSync, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { RelctlError } from '../core/errors/relctl-error.js';
import { writeAll } from './durable.js';
import { attempt } from './own-file.js';
import { isPipe, openReadPipe } from './input-file.js';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR, O_WRONLY, W_OK } = constants;

/** Names by which a process finds its own open files. They are links, to what its caller gave it. */
const ownHandles = /^\/(?:dev\/(?:stdin|stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/;

function refused(
  file: string,
  reason: string,
  advice = 'Choose another file, or one that does not exist yet.',
): RelctlError {
  return new RelctlError('local', `${file} cannot be written: ${reason}`, {
    facts: { path: file, code: 'foreign' },
    advice,
  });
}

/** Throws `local` for what somebody else may have put there, to get what is written or to have another file spoilt. */
function checkTarget(file: string, stats: Stats): void {
  const uid = process.getuid?.();
  if (stats.isSymbolicLink()) throw refused(file, 'it is a symbolic link');
  if (stats.isDirectory()) throw refused(file, 'it is a folder');
  // /dev/null and terminals belong to root.
  if (stats.isCharacterDevice()) return;
  if (uid !== undefined && stats.uid !== uid) throw refused(file, 'it belongs to another user');
  if (stats.isFile() && stats.nlink > 1) throw refused(file, 'it has a second hard link');
}

function checkThere(file: string): void {
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there !== undefined) checkTarget(file, there);
}

/** Throws `local` where it is seen by now that lines cannot be added to a file. Makes none. */
export function checkToAdd(file: string): void {
  if (ownHandles.test(file)) return;
  attempt(file, () => {
    checkThere(file);
    if (existsSync(file)) accessSync(file, W_OK);
    else accessSync(dirname(file), W_OK);
  });
}

function openPipe(file: string, flags: number): number {
  const handle = openReadPipe(file, flags);
  if (handle !== undefined) return handle;
  throw refused(file, 'it is a pipe without a reader', 'Start the reader first.');
}

/**
 * Opens a file that lines are added to, such as a trace or a log; a new one has mode 0600. What it is to be added to is a file,
 * a pipe that is read or a terminal of the user, reached by no link but the names of the process for its own streams, such as /dev/fd/3.
 * Throws `local`.
 * @param reads what is there is read as well
 */
export function openToAdd(file: string, { reads = false }: { readonly reads?: boolean } = {}): number {
  const isOwnHandle = ownHandles.test(file);
  const flags = (reads ? O_RDWR : O_WRONLY) | O_APPEND | O_CREAT | (isOwnHandle ? 0 : O_NOFOLLOW);
  return attempt(file, () => {
    if (!isOwnHandle) checkThere(file);
    const handle = isPipe(file) ? openPipe(file, flags) : openSync(file, flags, 0o600);
    try {
      // Another one may have been put there meanwhile.
      if (!isOwnHandle) checkTarget(file, fstatSync(handle));
      return handle;
    } catch (thrown) {
      closeSync(handle);
      throw thrown;
    }
  });
}

/** Adds a text to such a file, in one write if the system takes it. Throws `local`. */
export function addTo(file: string, text: string): void {
  const handle = openToAdd(file);
  try {
    attempt(file, () => writeAll(handle, Buffer.from(text)));
  } finally {
    closeSync(handle);
  }
}
