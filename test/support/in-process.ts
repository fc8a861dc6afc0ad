import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { finish } from '../../src/app/exit.js';
import type { run } from '../../src/app/main.js';
import type { CommandModules } from '../../src/app/program-config.js';
import { machineClock, readEnvironment, variablesIn, type Environment } from '../../src/kit/host/environment.js';
import type { SignalWatch } from '../../src/kit/host/process.js';
import { hasColor, widthOf, type Sink, type Streams } from '../../src/formats/streams.js';
import { SecretFilter } from '../../src/core/secrets/mask.js';

const changedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function filesOf(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Why what was built is not what its sources are, in one line; undefined when it is.
 * @param built a file that every build writes
 * @param sources files and folders that it is made of
 */
export function whyStale(built: string, sources: readonly string[]): string | undefined {
  const builtMs = changedMs(built);
  if (builtMs === 0) return `${built} is not there. Try: npm run build`;
  const newer = sources.flatMap(filesOf).find((file) => changedMs(file) > builtMs);
  return newer === undefined ? undefined : `${newer} is newer than ${built}. Try: npm run build`;
}

/** What the bundle exports; see scripts/start.cjs. */
interface Built {
  readonly run: typeof run;
  readonly finish: typeof finish;
  readonly commands: CommandModules;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
let built: Built | undefined;

/** Loads the program without V8's code, which it would keep in the folder of the person who runs the tests. */
function load(): Built {
  const { NODE_DISABLE_COMPILE_CACHE: before } = process.env;
  process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
  try {
    return createRequire(import.meta.url)('../../dist/start.cjs') as Built;
  } finally {
    if (before === undefined) delete process.env['NODE_DISABLE_COMPILE_CACHE'];
    else process.env['NODE_DISABLE_COMPILE_CACHE'] = before;
  }
}

/** A sink that keeps what is written, as the reader of a pipe does. */
function memorySink(
  variables: Environment['variables'],
  onText: () => void = () => undefined,
): { readonly sink: Sink; readonly text: () => string } {
  const pieces: Buffer[] = [];
  const keep = (piece: string | Uint8Array): Promise<void> => {
    pieces.push(typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece));
    onText();
    return Promise.resolve();
  };
  const isTerminal = variables['RELCTL_FORCE_TTY'] !== undefined;
  const facts = { isTerminal: false, columns: undefined, variables };
  return {
    sink: {
      write: keep,
      writeBytes: keep,
      isTerminal,
      isPipe: !isTerminal,
      width: widthOf(facts),
      hasColor: hasColor(facts),
    },
    text: () => Buffer.concat(pieces).toString('utf8'),
  };
}

/** No signal comes but that one. */
const signalsBy = (signal: AbortSignal): SignalWatch => ({
  signal,
  ask: () => false,
  received: () => undefined,
  guardWrite: (write) => write(),
  isWriting: () => false,
  stop: () => undefined,
});

/** Arguments that have an effect on, or are answered by, the process itself. */
const commandsOfProcesses = [['--version'], ['sandbox', 'start']];

/** Variables that Node and its libraries read for themselves, when they differ from those of this process. */
function isForNode([name, value]: readonly [string, string | undefined]): boolean {
  if (name === 'TZ') return value !== Intl.DateTimeFormat().resolvedOptions().timeZone;
  return /^(NODE_|UV_|SSL_|LC_|LANG|TMPDIR|RELCTL_DEBUG|RELCTL_JOB)/.test(name) && value !== process.env[name];
}

/** Whether nothing among the variables is for Node itself. */
export const isLikeHere = (env: NodeJS.ProcessEnv): boolean => !Object.entries(env).some(isForNode);

/** Whether a run is the same in this process as in one of its own. */
export function canRunHere(args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const isOfProcess = commandsOfProcesses.some((words) => words.every((word, index) => args[index] === word));
  return !isOfProcess && isLikeHere(env);
}

/** How a run in this process ended. */
interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a run in this process is given. */
interface Given {
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string | Uint8Array;
  /** Ends the run as Ctrl-C does. */
  readonly signal?: AbortSignal;
  /** Is called with what stdout has got so far. */
  readonly onOutput?: (text: string) => void;
}

/**
 * Runs the built program in this process, with streams in memory: for tests of what it says and does, not of the process.
 * Starting a process takes ten times as much processor time.
 * @param program path of the program, for the processes that it starts itself
 */
export async function runHere(
  program: string,
  args: readonly string[],
  { env, input = '', signal = new AbortController().signal, onOutput }: Given,
): Promise<Ended> {
  const { run, finish, commands } = (built ??= load());
  const variables = variablesIn(env);
  const out = memorySink(variables, onOutput && (() => onOutput(out.text())));
  const err = memorySink(variables);
  const streams: Streams = {
    out: out.sink,
    err: err.sink,
    outClosed: new AbortController().signal,
    // Nothing is asked: stdin is no terminal.
    prompt: process.stderr,
    finish: () => Promise.resolve(),
  };
  const ending = await run(
    {
      environment: {
        ...readEnvironment(),
        variables,
        program,
        argv: args,
        stdinIsTerminal: false,
        stdin: () => new PassThrough().end(input),
      },
      streams,
      signals: signalsBy(signal),
      clock: machineClock,
      secrets: new SecretFilter(),
      collectGarbage: () => undefined,
      report: () => Promise.resolve(),
    },
    root,
    commands,
  );
  return { code: await finish(ending), stdout: out.text(), stderr: err.text() };
}
