import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { usage } from '../errors/usage.js';
import { unreadableInput } from './failure.js';
import { readLines } from './lines.js';

/** True for a path at which something is. */
export const isThere = (file: string): boolean => existsSync(file);

function opened(file: string): number {
  try {
    // Without NONBLOCK a pipe that nobody writes would be waited for.
    const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if (fstatSync(handle).isFile()) return handle;
    closeSync(handle);
  } catch (thrown) {
    throw unreadableInput(file, thrown);
  }
  throw usage(file, `${file} is no file`);
}

/**
 * The lines of a file that somebody named, without their line feeds. Throws `usage` for one that cannot be read, is no plain
 * file, has a line that is too long, or ends within a line; `local` when the machine fails.
 * @param mostBytes how long a line may be
 */
export function* linesOfGiven(file: string, mostBytes: number): Generator<string, void> {
  const handle = opened(file);
  let bytes = 0;
  try {
    for (const line of readLines(handle, mostBytes)) {
      bytes += Buffer.byteLength(line) + 1;
      yield line;
    }
    if (bytes > fstatSync(handle).size) throw usage(file, `${file} is not whole: it ends within a line`);
  } finally {
    closeSync(handle);
  }
}

/** All bytes of a file that somebody named. Throws `usage` for one that cannot be read, is no plain file, or is too long. */
export function bytesOfGiven(file: string, mostBytes: number): Buffer {
  const handle = opened(file);
  try {
    if (fstatSync(handle).size > mostBytes) throw usage(file, `${file} has more than ${mostBytes} bytes`);
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}
