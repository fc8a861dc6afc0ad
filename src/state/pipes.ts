import { closeSync, constants, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { codeOf } from '../core/errors/relctl-error.js';

// To open a pipe of which nobody has the other end takes until somebody has, and no signal ends that. So neither end is waited
// for by opening: NONBLOCK.
const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * True for a pipe with a name, also behind a name of the process for its own streams. False for what cannot be looked at: to open
 * it fails for the same reason.
 */
export function isPipe(file: string): boolean {
  try {
    return statSync(file).isFIFO();
  } catch {
    return false;
  }
}

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
 * The bytes of a pipe as they come, until its last writer has gone; one that nobody writes yet is waited for. Throws what the
 * system throws, and an error when the signal is aborted.
 */
export function streamOfPipe(file: string, signal: AbortSignal): Readable {
  // The system tells a socket of the end only once there was a writer. A read would find the end before as well.
  const fd = openSync(file, O_RDONLY | O_NONBLOCK);
  return addAbortSignal(signal, new Socket({ fd, readable: true, writable: false }));
}
