import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { codeOf, RelctlError } from '../../core/errors/relctl-error.js';
import { orElse } from '../../core/values/value.js';

type Variables = Readonly<Record<string, string | undefined>>;

const passedOn = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'SSH_AUTH_SOCK',
  'GNUPGHOME',
  'GPG_TTY',
];

/** The variables that a program gets which looks up or keeps a secret: what finds programs and agents, no secret of ours. */
const toolEnvironment = (variables: Variables): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(passedOn.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]])));

/** A program to run, without a shell. */
export interface ToolRun {
  readonly words: readonly string[];
  /** What it reads; a secret goes this way, because others can see the words of a command. */
  readonly input?: string;
  /** The most bytes of stdout, which are kept then, and stderr is not looked at; stdout is not looked at when absent. */
  readonly mostBytes?: number;
  readonly limitMs: number;
  readonly variables: Variables;
  readonly signal?: AbortSignal | undefined;
}

/** How it ended by itself. What it wrote on stderr is not kept: it may hold a secret. */
interface Ended {
  readonly kind: 'ended';
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly complained: boolean;
  readonly output: Uint8Array;
}

/**
 * How it ended: by itself; not found, not allowed or not possible to start; too slow; ended while something that it started
 * kept stdout open for longer than the limit; with more on stdout than allowed.
 */
export type ToolEnd = Ended | { readonly kind: 'absent' | 'denied' | 'unstartable' | 'slow' | 'held' | 'verbose' };

/** Time for stderr of a program that has ended, in milliseconds: what it left running may keep it open for ever. */
const graceMs = 250;

const hasGroups = process.platform !== 'win32';

function started({ words: [program = '', ...args], variables, mostBytes }: ToolRun): ChildProcess | undefined {
  const stdio: StdioOptions = mostBytes === undefined ? ['pipe', 'ignore', 'pipe'] : ['pipe', 'pipe', 'ignore'];
  // In a group of its own, which can be killed with all that it starts.
  const options = { env: toolEnvironment(variables), stdio, detached: hasGroups };
  return orElse(() => spawn(program, args, options), undefined);
}

/** Kills a program with what it started, also when it has ended itself. */
function killAll(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (!hasGroups) {
    child.kill('SIGKILL');
    return;
  }
  const group = -child.pid;
  // It throws where nothing of it runs.
  orElse(() => process.kill(group, 'SIGKILL'), false);
}

const kindOfFailure = (thrown: Error): 'absent' | 'denied' | 'unstartable' => {
  const code = codeOf(thrown);
  if (code === 'ENOENT') return 'absent';
  return code === 'EACCES' ? 'denied' : 'unstartable';
};

interface Seen {
  readonly output: Uint8Array[];
  bytes: number;
  complained: boolean;
  hasLeft: boolean;
}

const endedAs = (seen: Seen, code: number | null, signal: NodeJS.Signals | null): Ended => ({
  kind: 'ended',
  code,
  signal,
  complained: seen.complained,
  output: Buffer.concat(seen.output),
});

function watch(child: ChildProcess, mostBytes: number | undefined, end: (how: ToolEnd, isLast?: true) => void): Seen {
  const seen: Seen = { output: [], bytes: 0, complained: false, hasLeft: false };
  child.stderr?.on('data', () => (seen.complained = true));
  child.stdout?.on('data', (chunk: Uint8Array) => {
    seen.bytes += chunk.length;
    if (seen.bytes > (mostBytes ?? 0)) end({ kind: 'verbose' }, true);
    else seen.output.push(chunk);
  });
  child.on('error', (thrown) => end({ kind: kindOfFailure(thrown) }));
  child.on('close', (code, signal) => end(endedAs(seen, code, signal)));
  child.on('exit', (code, signal) => {
    seen.hasLeft = true;
    // Nobody waits for the output of one that failed, nor for what keeps stderr open.
    if (mostBytes === undefined) setTimeout(() => end(endedAs(seen, code, signal)), graceMs).unref();
    else if (code !== 0) end(endedAs(seen, code, signal), true);
  });
  return seen;
}

/**
 * Runs a program to its end, or to a limit, at which it is killed with all that it started. Rejects with the reason of the
 * signal.
 */
export function runTool(run: ToolRun): Promise<ToolEnd> {
  const { input = '', limitMs, mostBytes, signal } = run;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(RelctlError.from(signal.reason));
      return;
    }
    const child = started(run);
    if (child === undefined) {
      resolve({ kind: 'unstartable' });
      return;
    }
    const end = (how: ToolEnd | 'aborted', isLast?: true): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (isLast) killAll(child);
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      if (how === 'aborted') reject(RelctlError.from(signal?.reason));
      else resolve(how);
    };
    const abort = (): void => end('aborted', true);
    const seen = watch(child, mostBytes, end);
    const timer = setTimeout(() => end({ kind: seen.hasLeft ? 'held' : 'slow' }, true), limitMs);
    signal?.addEventListener('abort', abort);
    // One that reads nothing closes the pipe.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
