import { isUtf8 } from 'node:buffer';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { isatty } from 'node:tty';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { shellCommand } from '../../core/text/text.js';
import { damagedArgument, isDamagedVariable } from '../../state/process-bytes.js';
import { unreadableInput } from '../../state/own-file.js';
import { openStream, readBounded } from '../../state/input-file.js';

/** What the program takes from the process it runs in, read once. */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The file that Node runs: what to start for another process of the same program. */
  readonly program: string;
  /** The variable TZ as it is set, also an empty one. */
  readonly timeZone: string | undefined;
  /** The name of an argument or a variable that is no UTF-8. */
  readonly damaged?: string | undefined;
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly platform: NodeJS.Platform;
  /**
   * The whole path of one that was named in the working folder. Throws `local` for a relative one when that folder was
   * removed.
   */
  readonly pathOf: (path: string) => string;
  readonly stdinIsTerminal: boolean;
  readonly stdin: () => Readable;
}

/** The command as it was typed, without --resume, --restart and some flags with their values, for an error message. */
export function commandOf({ argv }: Pick<Environment, 'argv'>, without: readonly string[] = []): string {
  const isDropped = (word: string, at: number): boolean =>
    [word.split('=')[0] ?? '', argv[at - 1] ?? ''].some((flag) => without.includes(flag));
  return shellCommand(argv.filter((word, at) => word !== '--resume' && word !== '--restart' && !isDropped(word, at)));
}

/** No other folder may stand for one that was removed: it may be there. */
function pathOf(path: string): string {
  try {
    return resolve(path);
  } catch (thrown) {
    throw new RelctlError('local', `'${path}' starts from the working folder, which no longer exists`, {
      facts: { foreignCode: 'ENOENT', path },
      advice: 'Change to a folder that exists, or use an absolute path.',
      hint: 'cd',
      cause: thrown,
    });
  }
}

function argumentName(argv: readonly string[], at: number): string {
  const [own = '', before = ''] = [argv[at], argv[at - 1]];
  const flag = own.startsWith('-')
    ? own.split('=', 1)[0]
    : before.startsWith('-')
      ? before.split('=', 1)[0]
      : undefined;
  return flag === undefined || flag.includes('\ufffd') ? `argument ${at + 1}` : flag;
}

const isReadByRelctl = /^(?:RELCTL_|XDG_|PG|(?:HTTPS?|ALL|NO)_PROXY$)/i;

function nameOfDamagedValue(argv: readonly string[], variables: Environment['variables']): string | undefined {
  const at = damagedArgument(argv);
  if (at !== -1) return argumentName(argv, at);
  return Object.keys(variables).find(
    (name) => isReadByRelctl.test(name) && isDamagedVariable(name, variables[name] ?? ''),
  );
}

/** The error for an argument or a variable that is no UTF-8. */
export const noUtf8 = (damaged: string): RelctlError =>
  usage(damaged, `${damaged} is not UTF-8, so relctl cannot read its characters`, {
    advice: 'Save the script that passes it as UTF-8, or convert it: `iconv -f windows-1252 -t utf-8`.',
  });

/** Variables as the program takes them: empty ones count as unset, and a carriage return at the end is that of a file's line. */
export function variablesIn(env: NodeJS.ProcessEnv): Environment['variables'] {
  const variables: Record<string, string | undefined> = Object.create(null) as Record<string, string | undefined>;
  for (const [name, value = ''] of Object.entries(env)) {
    const text = value.replace(/\r$/, '');
    if (text !== '') variables[name] = text;
  }
  return variables;
}

/** Reads the process's environment. */
export function readEnvironment(): Environment {
  const variables = variablesIn(process.env);
  const argv = process.argv.slice(2);
  return {
    variables,
    timeZone: process.env['TZ'],
    damaged: nameOfDamagedValue(argv, variables),
    program: process.argv[1] ?? '',
    argv,
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

/** The terminal that keys come from. */
export const keyboard = (): typeof process.stdin => process.stdin;

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
  const bytes = await readStdinBytes(environment, signal, mostTextBytes);
  if (!isUtf8(bytes)) throw usage(undefined, 'stdin is not UTF-8');
  return bytes.toString('utf8').replace(/\r?\n$/, '');
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

/** The name of what is read, for people. */
export const inputName = (file: string): string => (file === '-' ? 'stdin' : file);

/**
 * The bytes of a file, a device or a pipe that the command line names, or of stdin by `-`, as they come. Throws `usage` for
 * what cannot be read, `local` when the machine fails, and the signal's reason.
 */
export async function* streamInput(
  { environment, signal }: { readonly environment: Environment; readonly signal: AbortSignal },
  file: string,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* file === '-' ? openStdin(environment, signal) : openStream(environment.pathOf(file), signal);
  } catch (thrown) {
    signal.throwIfAborted();
    throw unreadableInput(inputName(file), thrown);
  }
}
