import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Remedy } from '../../core/errors/relctl-error.js';
import { unreadableBecause, isForeign, runnerHere, type Access, type Runner } from '../../state/own-file.js';
import { shellWord } from '../../core/text/shell/command.js';

const { O_NONBLOCK, O_RDONLY } = constants;

/** The most bytes that a file with a secret, or the output of a command with one, may have. */
export const mostSecretBytes = 64 * 1024;

interface Fault {
  readonly reason: string;
  readonly remedy?: Remedy;
}

const looksMounted = ({ uid, mode }: Access): boolean => uid === 0 || (mode & 0o200) === 0;

/** Who but the runner and root can get at a file, or undefined. */
function reachOf(file: Access, runner: Runner): string | undefined {
  const { mode, gid } = file;
  // Root can read any file, and its owner put it where root was told to look.
  if (isForeign(file, runner) && runner.uid !== 0) return 'belongs to another user';
  if ((mode & 0o022) !== 0) return 'can be changed by other users';
  if ((mode & 0o007) !== 0) return 'can be read by other users';
  if ((mode & 0o070) === 0) return undefined;
  // A file that its user can write was made by hand, where groups are wider than people think.
  return looksMounted(file) && runner.groups.includes(gid) ? undefined : 'can be read by other users of its group';
}

const ofMount =
  'If it is mounted, its owner and mode are set there: 0400, or 0440 with a group of yours ' +
  '(Kubernetes: defaultMode and fsGroup; Docker: uid, gid and mode).';

/**
 * What is wrong with the owner and the mode of a file with a secret; undefined when nothing is. It belongs to the runner or to
 * root, nobody else may write it, and nobody else may read it but a group of the runner, if only root can write the file.
 */
export function faultOfAccess(path: string, file: Access, runner: Runner): Fault | undefined {
  const reason = reachOf(file, runner);
  if (reason === undefined) return undefined;
  const canMend = runner.uid === 0 || runner.uid === file.uid;
  const hint = `${canMend ? 'chmod 600' : 'ls -lL'} ${shellWord(path)}`;
  return { reason, remedy: { hint, advice: looksMounted(file) ? ofMount : undefined } };
}

const tooLarge: Fault = { reason: `is larger than ${mostSecretBytes} bytes` };

/** Reads from the handle that was looked at: what the path leads to may change meanwhile. */
function readOpen(handle: number, path: string): Buffer | Fault {
  const stats = fstatSync(handle);
  if (!stats.isFile()) return { reason: 'is not a regular file' };
  const runner = runnerHere();
  const fault = runner && faultOfAccess(path, stats, runner);
  if (fault !== undefined) return fault;
  if (stats.size > mostSecretBytes) return tooLarge;
  const bytes = readFileSync(handle);
  return bytes.length > mostSecretBytes ? tooLarge : bytes;
}

/**
 * The bytes of a file with a secret, or what is wrong with it. A link is followed, as mounted secrets have them: what counts is
 * the file at its end. Never throws.
 */
export function readSecretFile(path: string): Buffer | Fault {
  let handle: number | undefined;
  try {
    // Without NONBLOCK a pipe that nobody writes would be waited for.
    handle = openSync(path, O_RDONLY | O_NONBLOCK);
    return readOpen(handle, path);
  } catch (thrown) {
    const { code, words } = unreadableBecause(thrown);
    return { reason: code === 'ELOOP' ? 'is a link that leads in a circle' : words };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
