import { createHash } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RelctlError, codeOf } from '../../core/errors/relctl-error.js';
import { attempt } from '../own-file.js';
import { fateOf, holderOf, tagPattern, ownTag, sweepFiles, thisProcess, type Fate, type Holder } from './holder.js';
import { defined, isObject, jsonOf, orElse } from '../../core/values/value.js';

const usualPatienceMs = 10_000;
const usualLocked = 'the profiles are';

interface Held {
  readonly text: string;
  readonly writtenMs: number;
}

const heldIn = (file: string): Held =>
  orElse(
    () => {
      const { mtimeMs } = statSync(file);
      return { text: readFileSync(file, 'utf8'), writtenMs: mtimeMs };
    },
    { text: '', writtenMs: NaN },
  );

function parsed(text: string): Holder | undefined {
  const value = jsonOf(text);
  return isObject(value) ? holderOf(value) : undefined;
}

/** What is known of the holder of a lock. Nobody knows anything of a lock that cannot be read. */
function fateIn({ text, writtenMs }: Held): Fate {
  const holder = parsed(text);
  return holder === undefined ? 'out-of-sight' : fateOf(holder, writtenMs);
}

function take(file: string): boolean {
  return attempt(file, () => {
    for (;;) {
      const outcome = tryToTake(file);
      if (outcome !== 'swept') return outcome === 'taken';
    }
  });
}

const ownText = (): string => JSON.stringify(thisProcess());

function tryToTake(file: string): 'taken' | 'held' | 'swept' {
  const own = `${file}.new.${ownTag()}`;
  try {
    // A process of the same number may have been killed right here.
    rmSync(own, { force: true });
    // On the disk before it has its name: after a loss of power nobody could tell whose an empty lock was.
    writeFileSync(own, ownText(), { mode: 0o600, flag: 'wx', flush: true });
    // A link appears whole or not at all, so that nobody ever reads half a lock.
    return linked(own, file);
  } finally {
    rmSync(own, { force: true });
  }
}

function linked(own: string, file: string): 'taken' | 'held' | 'swept' {
  try {
    linkSync(own, file);
    return 'taken';
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === 'EEXIST') return 'held';
    // Who took the lock a moment ago swept ours away.
    if (code === 'ENOENT') return 'swept';
    throw thrown;
  }
}

/**
 * Takes away what processes left that were killed while they took the lock or removed that of another; for who holds the
 * lock. One that is taking it just now tries again, and no lock of another is left to be removed.
 */
function sweep(file: string): void {
  const endings = new RegExp(`^(?=\\.)(?:\\.[0-9a-f]{16})*(?:\\.new\\.(?:\\d+|${tagPattern}))?$`);
  const base = basename(file);
  sweepFiles(dirname(file), (name) => name.startsWith(base) && endings.test(name.slice(base.length)));
}

const tagOf = (held: string): string => createHash('sha256').update(held).digest('hex').slice(0, 16);

/**
 * Removes the lock of a dead holder, under a lock that is named after that holder: whoever has it may remove that one
 * holder's lock and no other, so that the lock that is taken next is never removed by one who came late. Who was killed
 * while doing so is cleared away in the same manner. False when a living process is at it.
 */
function takeOver(file: string, held: string): boolean {
  const takeoverLock = `${file}.${tagOf(held)}`;
  if (!take(takeoverLock)) {
    const takingOver = heldIn(takeoverLock);
    // Gone already: that one has done it.
    return takingOver.text === '' || (fateIn(takingOver) === 'ended' && takeOver(takeoverLock, takingOver.text));
  }
  try {
    if (heldIn(file).text === held) rmSync(file, { force: true });
    return true;
  } finally {
    rmSync(takeoverLock, { force: true });
  }
}

function holderWords(text: string): { readonly who: string; readonly where: string } {
  const holder = parsed(text);
  if (holder === undefined) return { who: 'an unknown process', where: 'anywhere that writes to this folder' };
  const here = thisProcess();
  const { host, pid, boot, namespace } = holder;
  const process = `process ${pid}`;
  if (host === here.host && boot !== here.boot) {
    const who = `${process} of another machine called ${host}, or of an earlier start of this one`;
    return { who, where: `on all machines and in all containers called ${host}` };
  }
  if (host === here.host && namespace !== here.namespace && namespace !== '') {
    return { who: `${process} of another container on ${host}`, where: 'in that container' };
  }
  return { who: `${process} on ${host}`, where: `on ${host}` };
}

function heldBy(file: string, held: Held, what: string): RelctlError {
  const { who, where } = holderWords(held.text);
  const isSeen = fateIn(held) === 'living';
  const advice = isSeen
    ? `Wait until it ends. If it is not relctl, remove the lock file ${file}`
    : `Check whether relctl still runs ${where}. If not, remove the lock file ${file}`;
  return new RelctlError('locked', `${what} locked by ${who}`, { facts: { path: file }, advice });
}

/** How a lock is taken. */
export interface LockOptions {
  /** How long to wait, in milliseconds; when absent, ten seconds for each holder. */
  readonly patienceMs?: number;
  /** What is locked, with its verb, for the error: "the profiles are". */
  readonly what?: string;
  readonly signal?: AbortSignal;
  /** Called when a wait begins, to show it: what for, and for how long at most. What it gives is called when it is over. */
  readonly onWait?: ((wait: { readonly reason: string; readonly ms: number }) => () => unknown) | undefined;
}

/**
 * Takes a lock file; waits for another holder, and takes over from one that has ended for certain: killed where we can
 * see it, or before this machine's last start. Gives what releases it. Throws `locked`, and the signal's reason.
 */
export async function takeLock(file: string, options: LockOptions = {}): Promise<() => void> {
  let over: (() => unknown) | undefined;
  const show = (held: Held): void => {
    const { onWait, what = usualLocked, patienceMs: ms = usualPatienceMs } = options;
    over ??= onWait?.({ reason: `for ${holderWords(held.text).who} (${what} locked)`, ms });
  };
  try {
    await waitToTake(file, options, show);
  } finally {
    over?.();
  }
  sweep(file);
  return () => release(file);
}

async function waitToTake(file: string, options: LockOptions, show: (held: Held) => void): Promise<void> {
  const { patienceMs, what = usualLocked, signal } = options;
  let started = performance.now();
  let holder = '';
  for (let round = 0; !take(file); round += 1) {
    const held = heldIn(file);
    if (fateIn(held) === 'ended' && takeOver(file, held.text)) continue;
    // A queue that moves is waited for: how fast it does is up to the machine.
    if (patienceMs === undefined && held.text !== holder) [holder, started] = [held.text, performance.now()];
    if (performance.now() - started >= (patienceMs ?? usualPatienceMs)) throw heldBy(file, held, what);
    show(held);
    // Spread by the process's own number, so that many that start together do not stay in step.
    await waited(5 + ((process.pid * 7 + round * 13) % 40), signal);
  }
}

async function waited(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pause(ms, undefined, defined({ signal }));
  } catch (thrown) {
    signal?.throwIfAborted();
    throw thrown;
  }
}

/** Releases a lock. One that was taken away from us by hand, and taken by another since, is left to that one. */
function release(file: string): void {
  if (heldIn(file).text !== ownText()) return;
  // The work is done, and the lock of a process that has ended is in nobody's way.
  orElse(() => rmSync(file, { force: true }), undefined);
}

/** Runs work while holding a lock file. Throws `locked`, and what the work throws. */
export async function withLock<T>(file: string, work: () => T | Promise<T>, options: LockOptions = {}): Promise<T> {
  const release = await takeLock(file, options);
  try {
    return await work();
  } finally {
    release();
  }
}
