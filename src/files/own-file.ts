import { closeSync, constants, fstatSync, openSync, rmSync, type Stats } from 'node:fs';
import { RelctlError } from '../errors/relctl-error.js';
import { attempt } from './failure.js';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

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
