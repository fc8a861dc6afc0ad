import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { isatty } from 'node:tty';
import { RelctlError, usage } from '../errors/relctl-error.js';
import { readBounded } from '../files/read-bounded.js';
import { BoundedKeys } from './keys.js';

/** What the program takes from the process it runs in, read once. */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The file that Node runs: what to start for another process of the same program. */
  readonly program: string;
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly platform: NodeJS.Platform;
  /**
   * The whole path of one that was named in the working folder. Throws `local` for a relative one when that folder was
   * removed.
   */
  readonly pathOf: (path: string) => string;
  /** True when stdin is a terminal. */
  readonly stdinIsTerminal: boolean;
  /** Opens stdin. */
  readonly stdin: () => Readable;
}

/** No other folder may stand for one that was removed: it may be there. */
function pathOf(path: string): string {
  try {
    return resolve(path);
  } catch (thrown) {
    throw new RelctlError('local', `'${path}' starts from the working folder, which was removed`, {
      facts: { code: 'ENOENT', path },
      advice: 'Go to a folder that is there, or give the whole path.',
      hint: 'cd',
      cause: thrown,
    });
  }
}

/** Reads the process's environment. Empty variables count as unset. */
export function readEnvironment(): Environment {
  const variables: Record<string, string | undefined> = Object.create(null) as Record<string, string | undefined>;
  for (const [name, value] of Object.entries(process.env)) if (value !== '') variables[name] = value;
  return {
    variables,
    program: process.argv[1] ?? '',
    argv: process.argv.slice(2),
    platform: process.platform,
    pathOf,
    // Asking process.stdin would open it.
    stdinIsTerminal: isatty(0),
    stdin: () => process.stdin,
  };
}

/** The bytes of stdin as they arrive, until the signal is aborted. Opened only when a command asks for stdin. */
export function openStdin({ stdin }: Environment, signal: AbortSignal): AsyncIterable<Uint8Array> {
  return addAbortSignal(signal, stdin());
}

/** Tells when who reads stdin lets go of it, as a prompt does at its end. Gives what stops that. */
export function whenStdinPauses(listener: () => void): () => void {
  const { stdin } = process;
  stdin.on('pause', listener);
  return () => void stdin.off('pause', listener);
}

/** The keys of the terminal for a prompt that takes so many characters. */
export const openKeys = (room: number): BoundedKeys => new BoundedKeys(process.stdin, room);

/** Bytes of stdin that are read as a text: what a secret, a request or its parameters may have. */
export const mostTextBytes = 8 * 1024 * 1024;

/** All of stdin as bytes; read only when it was asked for. Throws the signal's reason, and `usage` for too many. */
export async function readStdinBytes(
  environment: Environment,
  signal: AbortSignal,
  mostBytes: number,
): Promise<Buffer> {
  try {
    const bytes = await readBounded(openStdin(environment, signal), mostBytes);
    if (bytes === undefined) throw usage(undefined, `stdin is larger than ${mostBytes / 1024 / 1024} MiB`);
    return bytes;
  } catch (thrown) {
    signal.throwIfAborted();
    throw thrown;
  }
}

/** All of stdin as text without the line break at its end; read only when a flag asked for it. */
export async function readStdin(environment: Environment, signal: AbortSignal): Promise<string> {
  return (await readStdinBytes(environment, signal, mostTextBytes)).toString('utf8').replace(/\r?\n$/, '');
}

/** Time and chance, in one place: monotonic milliseconds, wall clock, a number in [0, 1). */
export interface Clock {
  readonly nowMs: () => number;
  readonly date: () => Date;
  readonly random: () => number;
}

/** The machine's own clock. */
export const machineClock: Clock = {
  nowMs: () => Number(process.hrtime.bigint()) / 1e6,
  date: () => new Date(),
  random: () => Math.random(),
};
