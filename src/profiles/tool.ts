import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

type Variables = Readonly<Record<string, string | undefined>>;

type Started = ChildProcessByStdio<Writable, null, Readable>;

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
export const toolEnvironment = (variables: Variables): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(passedOn.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]])));

/** A program to run, without a shell. */
export interface ToolRun {
  readonly words: readonly string[];
  /** What it reads; a secret goes this way, because others can see the words of a command. */
  readonly input?: string;
  /** Longest time, in milliseconds. */
  readonly limitMs: number;
  readonly variables: Variables;
}

/** How it ended. What it wrote is not kept: it may hold a secret. */
export type ToolEnd =
  | { readonly kind: 'ended'; readonly code: number | null; readonly complained: boolean }
  | { readonly kind: 'absent' | 'slow' };

/** Time for the streams of a program that has ended, in milliseconds: what it left running may keep them open for ever. */
const graceMs = 250;

/** Undefined for a word that no program can be given. */
function started(program: string, args: readonly string[], variables: Variables): Started | undefined {
  try {
    return spawn(program, args, { env: toolEnvironment(variables), stdio: ['pipe', 'ignore', 'pipe'] });
  } catch {
    return undefined;
  }
}

/** Runs a program to its end, or to the time limit. */
export function runTool({ words: [program = '', ...args], input = '', limitMs, variables }: ToolRun): Promise<ToolEnd> {
  return new Promise((resolve) => {
    const child = started(program, args, variables);
    if (child === undefined) {
      resolve({ kind: 'absent' });
      return;
    }
    let complained = false;
    const end = (how: ToolEnd): void => {
      clearTimeout(timer);
      child.stderr.destroy();
      child.unref();
      resolve(how);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      end({ kind: 'slow' });
    }, limitMs);
    child.on('error', () => end({ kind: 'absent' }));
    child.stderr.on('data', () => (complained = true));
    const ended = (code: number | null): void => end({ kind: 'ended', code, complained });
    child.on('close', ended);
    child.on('exit', (code) => setTimeout(ended, graceMs, code).unref());
    // One that reads nothing closes the pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
