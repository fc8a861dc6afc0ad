import { closeSync, constants, fstatSync, mkdirSync, openSync, rmSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../errors/code-of.js';
import { RelctlError } from '../errors/relctl-error.js';
import { attempt } from './failure.js';

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
function isOwn(found: Stats): boolean {
  return found.isFile() && found.nlink === 1 && (process.getuid === undefined || found.uid === process.getuid());
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
  throw new RelctlError('local', `${file} is not the file that relctl left here`, {
    facts: { path: file, code: 'foreign' },
    advice: 'Move it away, or begin anew.',
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
