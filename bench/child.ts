import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a process took. NaN is what the system does not tell; Linux tells all. */
export interface Cost {
  readonly ms: number;
  /** Processor time of the process and those that it waited for, user and system; a clock tick is 10 ms. */
  readonly cpuMs: number;
  /** Most memory that it held. */
  readonly peakMebibytes: number;
  /** Most that the folder held which was looked at, in millions of bytes; NaN without one. */
  readonly diskMegabytes: number;
}

/** A process to run. */
export interface Run {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** A folder whose size is looked at all the time. */
  readonly folder?: string;
}

/** The built program, behind a Node. */
export const relctl: readonly string[] = [process.execPath, fileURLToPath(new URL('../bin/run.js', import.meta.url))];

/** The most memory of a process so far, as Linux counts it. */
export function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
  } catch {
    return Number.NaN;
  }
}

const tickMs = 10;

/** Longest time of one run. What takes longer hangs, and is a failure. */
const longestMs = 15 * 60_000;

/** Fields of /proc/self/stat from the fourth on: behind the name of the program, which may hold spaces. */
function ownStat(): readonly number[] {
  try {
    const text = readFileSync('/proc/self/stat', 'utf8');
    return text
      .slice(text.lastIndexOf(')') + 4)
      .split(' ')
      .map(Number);
  } catch {
    return [];
  }
}

/** Processor time of all children of this process that have ended, in ms. */
function cpuOfEnded(): number {
  const [user = Number.NaN, system = Number.NaN] = ownStat().slice(12, 14);
  return (user + system) * tickMs;
}

/** Bytes of the files below a folder, in millions. */
export function sizeOf(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    // A file may have gone since.
    const entry = statSync(join(folder, name), { throwIfNoEntry: false });
    if (entry?.isFile() === true) bytes += entry.size;
  }
  return bytes / 1e6;
}

const largest = (left: number, right: number): number =>
  Number.isNaN(left) || right > left ? (Number.isNaN(right) ? left : right) : left;

/** Looks at a process until it has ended: memory every 10 ms, the folder every 50. */
function watch(child: ChildProcess, folder: string | undefined) {
  const most = { peakMebibytes: Number.NaN, diskMegabytes: Number.NaN };
  const lookAtFolder = (): void => {
    if (folder !== undefined) most.diskMegabytes = largest(most.diskMegabytes, sizeOf(folder));
  };
  const looking = [
    setInterval(() => (most.peakMebibytes = largest(most.peakMebibytes, peakOf(child.pid))), 10),
    setInterval(lookAtFolder, 50),
  ];
  return {
    end(): typeof most {
      for (const each of looking) clearInterval(each);
      lookAtFolder();
      return most;
    },
  };
}

/**
 * Runs a process to its end; throws when it fails, because a failed run is no figure. One at a time: the processor time
 * is that of all children that ended meanwhile.
 */
export async function costOf({ command, env, folder }: Run): Promise<Cost> {
  const [program = '', ...args] = command;
  const cpuBefore = cpuOfEnded();
  const started = performance.now();
  const child = spawn(program, args, {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: longestMs,
    killSignal: 'SIGKILL',
  });
  let complaint = '';
  child.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
  const watched = watch(child, folder);
  let ms = Number.NaN;
  child.once('exit', () => (ms = performance.now() - started));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  ).finally(() => watched.end());
  if (code !== 0) {
    const last = complaint.trim().split('\n').at(-1) ?? '';
    throw new Error(
      code === null ? 'was killed, perhaps after 15 minutes' : `ended with ${code}: ${last.slice(0, 300)}`,
    );
  }
  return { ms, cpuMs: cpuOfEnded() - cpuBefore, ...watched.end() };
}

/** True when a command can be run here and says yes. */
export function isThere(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
