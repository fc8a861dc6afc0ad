import { spawn, type ChildProcess } from 'node:child_process';
import { isLikeHere, runHere } from './in-process.js';
import { program } from './relctl.js';

/** A sandbox that serves. */
export interface ServingSandbox {
  /** Base URL, as `profile add` takes it. */
  readonly url: string;
  /** The `profile add` line that it printed, without the program's name. */
  readonly profileAdd: readonly string[];
  /** What that line feeds to stdin. */
  readonly secrets: string;
  /** Ends it as Ctrl-C does. */
  readonly stop: () => Promise<unknown>;
}

/** A `sandbox start` that runs as a process of its own. */
export interface RunningSandbox extends ServingSandbox {
  readonly output: () => string;
  readonly child: ChildProcess;
  /** Sends a signal and waits for the end; gives the exit code or the signal's name. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | NodeJS.Signals | null>;
}

/** What it printed when it serves. */
const isServing = (output: string): boolean =>
  /http:\/\/127\.0\.0\.1:\d+/.test(output) && output.includes('profile add');

/** What is told by what it printed. */
const factsOf = (output: string): Omit<ServingSandbox, 'stop'> => ({
  url: /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '',
  profileAdd: (/relctl (profile add .*)$/m.exec(output)?.[1] ?? '').split(/\s+/),
  secrets: (/printf '%s\\n' (\S+ \S+)/.exec(output)?.[1] ?? '').replace(' ', '\n'),
});

const wordsOf = (args: readonly string[]): readonly string[] => ['sandbox', 'start', '--port', '0', ...args];

/**
 * The same as `sandbox`, in this process where that makes no difference: nothing is to wait for a program that calls it
 * before the next turn of the event loop, as spawnSync does.
 */
export async function sandboxHere(env: NodeJS.ProcessEnv, args: readonly string[] = []): Promise<ServingSandbox> {
  if (!isLikeHere(env)) return sandbox(env, args);
  const stopping = new AbortController();
  let ended: ReturnType<typeof runHere> | undefined;
  const output = await new Promise<string>((resolve, reject) => {
    const onOutput = (text: string): void => {
      if (isServing(text)) resolve(text);
    };
    ended = runHere(program, wordsOf(args), { env, signal: stopping.signal, onOutput });
    ended.then(({ stderr }) => reject(new Error(`sandbox start ended: ${stderr}`)), reject);
  });
  return {
    ...factsOf(output),
    stop: () => {
      stopping.abort();
      return ended ?? Promise.resolve();
    },
  };
}

/** Starts `relctl sandbox start` on a free port and waits until it says where it is. */
export async function sandbox(env: NodeJS.ProcessEnv, args: readonly string[] = []): Promise<RunningSandbox> {
  const child = spawn(process.execPath, [program, ...wordsOf(args)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that ends before it is stopped leaves nothing behind.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  let output = '';
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('close', (code, signal) => resolve(signal ?? code));
  });
  await new Promise<void>((resolve, reject) => {
    const look = (text: Buffer): void => {
      output += text.toString();
      if (isServing(output)) resolve();
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('close', (code) => reject(new Error(`sandbox start ended with ${String(code)}: ${output}`)));
  });
  return {
    ...factsOf(output),
    output: () => output,
    child,
    stop: async (signal = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
}
