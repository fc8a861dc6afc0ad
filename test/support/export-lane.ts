import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import assert from 'node:assert/strict';
import { program, type Run } from './relctl.js';

/** SHA-256 of a file; undefined when it is not there. */
export function hashOf(file: string): string | undefined {
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : undefined;
}

/** Length of a file; -1 when it is not there. */
export const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? -1;

/** A run of the program that may be ended from outside. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Run>;
  isOver(): boolean;
}

/** Starts the program, under another one when a command line is given to put before it. */
export function started(
  args: readonly string[],
  {
    env,
    under = [],
    cwd,
  }: { readonly env: NodeJS.ProcessEnv; readonly under?: readonly string[]; readonly cwd?: string },
): Started {
  const [first = process.execPath, ...rest] = [...under, process.execPath, program, ...args];
  const child = spawn(first, rest, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(cwd === undefined ? {} : { cwd }) });
  let [stdout, stderr, isOver] = ['', '', false];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Run>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      isOver = true;
      resolve({ code, signal, stdout, stderr });
    });
  });
  return { child, ended, isOver: () => isOver };
}

/** Looks again and again until something holds, or the run has ended; tells which. */
export async function until(run: Started, holds: () => boolean): Promise<boolean> {
  while (!run.isOver()) {
    if (holds()) return true;
    await pause(1);
  }
  return false;
}

/** Works tasks off, some at a time. */
export async function inLanes<T>(lanes: number, tasks: readonly T[], work: (task: T) => Promise<void>): Promise<void> {
  const left = [...tasks];
  const lane = async (): Promise<void> => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) await work(task);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/**
 * Starts a command so often at once, of which one is meant to go on until it is killed, and kills it when all others
 * have ended; gives how those did.
 */
export async function allButOne(
  count: number,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<readonly Run[]> {
  const runs = Array.from({ length: count }, () => started(args, { env }));
  const ended: Run[] = [];
  for (const each of runs) void each.ended.then((how) => ended.push(how));
  while (ended.length < count - 1) await Promise.race(runs.filter((each) => !each.isOver()).map((each) => each.ended));
  const others = [...ended];
  for (const each of runs) if (!each.isOver()) each.child.kill('SIGKILL');
  await Promise.all(runs.map((each) => each.ended));
  return others;
}

/** A run of a batch that is to be killed. */
interface RunToKill {
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly journal: string;
  /** Gives a number below another one. */
  readonly draw: (below: number) => number;
  /** About so many bytes more of the journal are waited for at most. */
  readonly mostBytes: number;
}

/** Lets a batch begin or go on, and kills it at a random point; false when it came to its end before, with exit code 8. */
export async function killedOnce({ words, env, journal, draw, mostBytes }: RunToKill): Promise<boolean> {
  const run = started(words, { env });
  if (draw(5) === 0) {
    // By time: also while it starts, checks its rows, or writes its results.
    await Promise.race([pause(draw(900)), run.ended]);
  } else {
    const goal = Math.max(0, sizeOf(journal)) + draw(mostBytes);
    await until(run, () => sizeOf(journal) > goal);
  }
  run.child.kill('SIGKILL');
  const { signal, code, stderr } = await run.ended;
  assert.ok(signal === 'SIGKILL' || code === 8, stderr);
  return signal === 'SIGKILL';
}
