import { createHash } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { RelctlError } from '../errors/relctl-error.js';
import { attempt } from './failure.js';

/** Who holds a lock: enough to tell a living holder from one that was killed, also when its pid was given to another. */
interface Holder {
  readonly host: string;
  readonly pid: number;
  readonly started: string;
  readonly boot: string;
}

const usualPatienceMs = 10_000;

function readOr(file: string, fallback: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return fallback;
  }
}

/** Start time of a process in clock ticks, where the system tells it; that of one that has ended counts as none. */
function startOf(pid: number): string {
  const stat = readOr(`/proc/${pid}/stat`, '');
  const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A killed process whose parent does not ask how it ended stays in the table, and still takes signals.
  return state === 'Z' || state === 'X' ? 'ended' : (rest[18] ?? '');
}

function thisProcess(): Holder {
  return {
    host: hostname(),
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
    const { host, pid, started, boot } = holder;
    const isWhole = [host, started, boot].every((each) => typeof each === 'string') && Number.isSafeInteger(pid);
    return isWhole ? (holder as Holder) : undefined;
  } catch {
    return undefined;
  }
}

/** True when the holder cannot be alive any more. Nobody knows that of a lock that cannot be read or is another host's. */
function isStale(text: string): boolean {
  const holder = parsed(text);
  if (holder === undefined) return false;
  const here = thisProcess();
  if (holder.host !== here.host) return false;
  if (holder.boot !== here.boot) return true;
  return !isAlive(holder.pid) || startOf(holder.pid) !== holder.started;
}

function take(file: string): boolean {
  return attempt(file, () => taken(file));
}

function taken(file: string): boolean {
  const own = `${file}.new.${process.pid}`;
  try {
    // A process of the same number may have been killed right here.
    rmSync(own, { force: true });
    // On the disk before it has its name: after a loss of power nobody could tell whose an empty lock was.
    writeFileSync(own, JSON.stringify(thisProcess()), { mode: 0o600, flag: 'wx', flush: true });
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

/** Stands for a holder in a name. */
const markOf = (held: string): string => createHash('sha256').update(held).digest('hex').slice(0, 16);

/**
 * Removes the lock of a dead holder, under a lock that is named after that holder: whoever has it may remove that one
 * holder's lock and no other, so that the lock that is taken next is never removed by one who came late. Who was killed
 * while doing so is cleared away in the same manner. False when a living process is at it.
 */
function clearDead(file: string, held: string): boolean {
  const grave = `${file}.${markOf(held)}`;
  if (!take(grave)) {
    const digger = readOr(grave, '');
    // Gone already: that one has done it.
    return digger === '' || (isStale(digger) && clearDead(grave, digger));
  }
  try {
    if (readOr(file, '') === held) rmSync(file, { force: true });
    return true;
  } finally {
    rmSync(grave, { force: true });
  }
}

function heldBy(file: string, held: string, what: string): RelctlError {
  const holder = parsed(held);
  const who = holder === undefined ? 'an unknown process' : `process ${holder.pid} on ${holder.host}`;
  return new RelctlError('locked', `${what} locked by ${who}`, {
    facts: { path: file },
    hint: `wait for it to end; if it is no relctl, remove ${file}`,
  });
}

/** How a lock is taken. */
export interface LockOptions {
  /** How long to wait, in milliseconds; ten seconds when absent. */
  readonly patienceMs?: number;
  /** What is locked, with its verb, for the error: "the profiles are". */
  readonly what?: string;
  /** Gives the waiting up. */
  readonly signal?: AbortSignal;
}

/**
 * Takes a lock file; waits for another holder, and takes over from one that was killed. Gives what releases it. Throws
 * `locked`, and the signal's reason.
 */
export async function takeLock(file: string, options: LockOptions = {}): Promise<() => void> {
  const { patienceMs = usualPatienceMs, what = 'the profiles are', signal } = options;
  const started = performance.now();
  for (let round = 0; !take(file); round += 1) {
    const held = readOr(file, '');
    if (isStale(held) && clearDead(file, held)) continue;
    if (performance.now() - started >= patienceMs) throw heldBy(file, held, what);
    // Spread by the process's own number, so that many that start together do not stay in step.
    await waited(5 + ((process.pid * 7 + round * 13) % 40), signal);
  }
  return () => release(file);
}

/** Waits. Throws the signal's reason. */
async function waited(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pause(ms, undefined, signal === undefined ? {} : { signal });
  } catch (thrown) {
    signal?.throwIfAborted();
    throw thrown;
  }
}

/** Lets go of a lock. One that was taken away from us by hand, and taken by another since, is left to that one. */
function release(file: string): void {
  if (parsed(readOr(file, ''))?.pid !== process.pid) return;
  try {
    rmSync(file, { force: true });
  } catch {
    // The work is done, and the lock of a process that has ended is in nobody's way.
  }
}

/** Runs work while holding a lock file. Throws `locked`, and what the work throws. */
export async function withLock<T>(file: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const release = await takeLock(file, options);
  try {
    return await work();
  } finally {
    release();
  }
}
