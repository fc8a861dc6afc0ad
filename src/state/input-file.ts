import { closeSync, constants, createReadStream, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { usage, codeOf } from '../core/errors/relctl-error.js';
import { unreadableInput } from './own-file.js';
import { orElse } from '../core/values/value.js';
import { readLines } from './lines.js';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';

// To open a pipe of which nobody has the other end takes until somebody has, and no signal ends that. So neither end is waited
// for by opening: NONBLOCK.
const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * True for a pipe with a name, also behind a name of the process for its own streams. False for what cannot be looked at: to open
 * it fails for the same reason.
 */
export const isPipe = (file: string): boolean => orElse(() => statSync(file).isFIFO(), false);

/** Opens a pipe by these flags to write to it; undefined for one that nobody reads. Throws what the system throws. */
export function openReadPipe(file: string, flags: number): number | undefined {
  let probe: number;
  try {
    probe = openSync(file, O_WRONLY | O_NONBLOCK);
  } catch (thrown) {
    if (codeOf(thrown) !== 'ENXIO') throw thrown;
    return undefined;
  }
  try {
    return openSync(file, flags);
  } finally {
    // Not before: a reader takes a pipe without a writer for one that has ended.
    closeSync(probe);
  }
}

/**
 * Streams the bytes of a pipe. It waits for the first writer, and ends when the last one closes the pipe. Throws what the system
 * throws, and an error when the signal is aborted.
 */
export function streamOfPipe(file: string, signal: AbortSignal): Readable {
  // A socket ends only after a writer has come and gone. A plain read would end at once where no writer has come yet.
  const fd = openSync(file, O_RDONLY | O_NONBLOCK);
  return addAbortSignal(signal, new Socket({ fd, readable: true, writable: false }));
}

function opened(file: string): number {
  try {
    // Without NONBLOCK a pipe that nobody writes would be waited for.
    const handle = openSync(file, O_RDONLY | O_NONBLOCK);
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
export function* boundedLines(file: string, mostBytes: number): Generator<string, void> {
  const handle = opened(file);
  let bytes = 0;
  try {
    for (const line of readLines(handle, mostBytes)) {
      bytes += Buffer.byteLength(line) + 1;
      yield line;
    }
    if (bytes > fstatSync(handle).size) throw usage(file, `${file} is truncated: it ends within a line`);
  } finally {
    closeSync(handle);
  }
}

/** All bytes of a file that somebody named. Throws `usage` for one that cannot be read, is no plain file, or is too long. */
export function readBytes(file: string, mostBytes: number): Buffer {
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
export function openStream(file: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
  if (isPipe(file)) return streamOfPipe(file, signal);
  // What is read without an encoding is bytes, which the types do not say.
  return createReadStream(file, { signal }) as AsyncIterable<Uint8Array>;
}

/** All of a text that somebody named, in UTF-8. Throws as `openStream`. */
export async function readTextFile(file: string, signal: AbortSignal): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of openStream(file, signal)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/**
 * All bytes of a stream, which is bounded before they are there; undefined when there are more than allowed, of which no
 * more is read then. Throws what the stream throws.
 */
export async function readBounded(chunks: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer | undefined> {
  const all: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > mostBytes) return undefined;
    all.push(chunk);
  }
  return Buffer.concat(all, length);
}
