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

/** Fields of /proc/PID/stat behind the name of the program, which may hold spaces. */
function statOf(pid: number | 'self'): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text
      .slice(text.lastIndexOf(')') + 4)
      .split(' ')
      .map(Number);
  } catch {
    return [];
  }
}

const timesOf = (fields: readonly number[], first: number): number =>
  ((fields[first] ?? Number.NaN) + (fields[first + 1] ?? Number.NaN)) * tickMs;

/** Processor time of a process that runs, in ms. */
export const cpuOf = (pid: number | undefined): number => timesOf(statOf(pid ?? 0), 10);

/** Processor time of all children of this process that have ended, in ms. */
const cpuOfEnded = (): number => timesOf(statOf('self'), 12);

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
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
  const watched = watch(child, folder);
  let ms = Number.NaN;
  child.once('exit', () => (ms = performance.now() - started));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve)).finally(() =>
    watched.end(),
  );
  if (code !== 0) {
    const last = complaint.trim().split('\n').at(-1) ?? '';
    throw new Error(`ended with ${String(code)}: ${last.slice(0, 300)}`);
  }
  return { ms, cpuMs: cpuOfEnded() - cpuBefore, ...watched.end() };
}

/** True when a command can be run here and says yes. */
export function isThere(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
