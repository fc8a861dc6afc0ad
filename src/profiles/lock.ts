import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { RelctlError } from '../errors/relctl-error.js';

/** Who holds a lock: enough to tell a living holder from one that was killed, also when its pid was given to another. */
interface Holder {
  readonly pid: number;
  readonly started: string;
  readonly boot: string;
}

const patienceMs = 10_000;

function readOr(file: string, fallback: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return fallback;
  }
}

/** Start time of a process in clock ticks, where the system tells it. */
function startOf(pid: number): string {
  const stat = readOr(`/proc/${pid}/stat`, '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function thisProcess(): Holder {
  return {
    pid: process.pid,
    started: startOf(process.pid),
    boot: readOr('/proc/sys/kernel/random/boot_id', '').trim(),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

function parsed(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder>;
    const { pid, started, boot } = holder;
    return typeof pid === 'number' && typeof started === 'string' && typeof boot === 'string'
      ? { pid, started, boot }
      : undefined;
  } catch {
    return undefined;
  }
}

/** True when the holder cannot be alive any more. A lock that cannot be read is being written: not stale. */
function isStale(text: string): boolean {
  const holder = parsed(text);
  if (holder === undefined) return false;
  const here = thisProcess();
  if (holder.boot !== here.boot) return true;
  return !isAlive(holder.pid) || startOf(holder.pid) !== holder.started;
}

/** Puts a stale lock aside. Another process may have done so already and hold a new one: that one is put back. */
function clearStale(file: string, text: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readOr(aside, text) !== text) linkSync(aside, file);
  } catch {
    // Somebody else was faster; the next round sees what is there now.
  }
  rmSync(aside, { force: true });
}

function take(file: string): boolean {
  const own = `${file}.new.${process.pid}`;
  writeFileSync(own, JSON.stringify(thisProcess()), { mode: 0o600 });
  try {
    // A link appears whole or not at all, so that nobody ever reads half a lock.
    linkSync(own, file);
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') return false;
    throw thrown;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Runs work while holding a lock file; waits up to ten seconds for another holder, and takes over from one that was
 * killed. Throws `locked`.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  for (let round = 0; !take(file); round += 1) {
    const held = readOr(file, '');
    if (isStale(held)) {
      clearStale(file, held);
    } else if (performance.now() - started > patienceMs) {
      const pid = parsed(held)?.pid;
      throw new RelctlError('locked', `the profiles are locked by process ${pid ?? '?'}`, {
        hint: `wait for it to end; if it is no relctl, remove ${file}`,
      });
    } else {
      // Spread by the process's own number, so that many that start together do not stay in step.
      await pause(5 + ((process.pid * 7 + round * 13) % 40));
    }
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
