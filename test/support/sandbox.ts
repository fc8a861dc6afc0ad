import { spawn, type ChildProcess } from 'node:child_process';
import { program } from './relctl.js';

/** A `sandbox start` that runs as a process of its own. */
export interface RunningSandbox {
  /** Base URL, as `profile add` takes it. */
  readonly url: string;
  /** The `profile add` line that it printed, without the program's name. */
  readonly profileAdd: readonly string[];
  /** What that line feeds to stdin. */
  readonly secrets: string;
  readonly output: () => string;
  readonly child: ChildProcess;
  /** Sends a signal and waits for the end; gives the exit code or the signal's name. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/** Starts `relctl sandbox start` on a free port and waits until it says where it is. */
export async function sandbox(env: NodeJS.ProcessEnv, args: readonly string[] = []): Promise<RunningSandbox> {
  const child = spawn(process.execPath, [program, 'sandbox', 'start', '--port', '0', ...args], {
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
  const url = await new Promise<string>((resolve, reject) => {
    const look = (text: Buffer): void => {
      output += text.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
      if (found !== null && output.includes('profile add')) resolve(found[0]);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('close', (code) => reject(new Error(`sandbox start ended with ${String(code)}: ${output}`)));
  });
  const line = /relctl (profile add .*)$/m.exec(output)?.[1] ?? '';
  return {
    url,
    profileAdd: line.split(/\s+/),
    secrets: (/printf '%s\\n' (\S+ \S+)/.exec(output)?.[1] ?? '').replace(' ', '\n'),
    output: () => output,
    child,
    stop: async (signal = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
}
