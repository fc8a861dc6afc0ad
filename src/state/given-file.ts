import { closeSync, constants, createReadStream, fstatSync, openSync, readFileSync } from 'node:fs';
import { usage } from '../core/errors/relctl-error.js';
import { unreadableInput } from './own-file.js';
import { readLines } from './lines.js';
import { isPipe, streamOfPipe } from './pipes.js';

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

/**
 * The bytes of a file, a device or a pipe that somebody named, as they come; who writes the pipe is waited for. Throws what the
 * system throws, now or while it is read, and an error when the signal is aborted.
 */
export function streamOfGiven(file: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
  if (isPipe(file)) return streamOfPipe(file, signal);
  // What is read without an encoding is bytes, which the types do not say.
  return createReadStream(file, { signal }) as AsyncIterable<Uint8Array>;
}

/** All of a text that somebody named, in UTF-8. Throws as `streamOfGiven`. */
export async function textOfGiven(file: string, signal: AbortSignal): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of streamOfGiven(file, signal)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
