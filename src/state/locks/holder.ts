import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync, lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../../core/errors/relctl-error.js';
import { orElse } from '../../core/values/value.js';

/** A process, by what tells whether it is alive. What the system does not tell is empty. */
export interface Holder {
  readonly host: string;
  readonly pid: number;
  /** When it started, in clock ticks since the start of the machine; process numbers are given again. */
  readonly started: string;
  /** This start of the machine's kernel. */
  readonly boot: string;
  /** The pid namespace: containers of one machine do not see each other's processes. */
  readonly namespace: string;
  /** The machine, from one start to the next. */
  readonly machine: string;
}

/**
 * What is known of a process: that it is alive, that it has ended, or nothing, since it is one of another machine or of
 * another container.
 */
export type Fate = 'living' | 'ended' | 'out-of-sight';

const textOf = (file: string): string => orElse(() => readFileSync(file, 'utf8'), '');
const targetOf = (link: string): string => orElse(() => readlinkSync(link), '');

/** The pid namespace that the kernel begins with; Linux gives it this number everywhere. */
const firstNamespace = 'pid:[4026531836]';

/** Start time in a line of /proc/PID/stat; empty when there is none, `ended` for a process that has. */
function startIn(stat: string): string {
  const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A killed process whose parent does not ask how it ended stays in the table, and still takes signals.
  return state === 'Z' || state === 'X' ? 'ended' : (rest[18] ?? '');
}

function startOf(pid: number): string {
  // /proc may be that of another namespace, where the number is another process's.
  const isOurs = targetOf('/proc/self') === String(process.pid);
  return isOurs ? startIn(textOf(`/proc/${pid}/stat`)) : '';
}

/** This process. */
export function thisProcess(): Holder {
  const namespace = targetOf('/proc/self/ns/pid');
  return {
    host: hostname(),
    pid: process.pid,
    started: startIn(textOf('/proc/self/stat')),
    boot: textOf('/proc/sys/kernel/random/boot_id').trim(),
    namespace,
    // A container has the machine id of its image, if any: two machines may run the same.
    machine: namespace === firstNamespace ? textOf('/etc/machine-id').trim() : '',
  };
}

/** The process that a file tells of, by what `thisProcess` gave; undefined for anything else. */
export function holderOf(record: Partial<Holder>): Holder | undefined {
  const { host, pid, started, boot, namespace, machine } = record;
  const isWhole = [host, started, boot, namespace, machine].every((each) => typeof each === 'string');
  return isWhole && Number.isSafeInteger(pid) ? (record as Holder) : undefined;
}

/** True while there is a process with this number, one that has ended too, if its parent does not ask how. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) === 'EPERM';
  }
}

/** True while a process with this number runs, whoever owns it. */
export const isAlive = (pid: number): boolean => isThere(pid) && startOf(pid) !== 'ended';

function hasEnded(pid: number, started: string): boolean {
  if (!isThere(pid)) return true;
  const now = startOf(pid);
  return now === 'ended' || (now !== '' && started !== '' && now !== started);
}

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8);

const nowhere = '00000000';

/** Where a process is, as one text each: what can see it, and the machine as long as it lasts. */
function locationOf({ host, boot, namespace, machine }: Holder) {
  return { sight: hashOf(host, boot, namespace), machine: machine === '' ? nowhere : hashOf(host, machine) };
}

const bootTimeMs = (): number => Number(/^btime (\d+)$/m.exec(textOf('/proc/stat'))?.[1] ?? NaN) * 1000;

interface Sought {
  readonly location: ReturnType<typeof locationOf>;
  readonly pid: number;
  readonly started: string;
}

/** Who looks: a process, and when its machine started, in milliseconds since 1970. */
interface Observer {
  readonly own: Holder;
  readonly bootMs: () => number;
}

function fate({ location, pid, started }: Sought, writtenMs: number, by?: Observer): Fate {
  const { own, bootMs } = by ?? { own: thisProcess(), bootMs: bootTimeMs };
  const here = locationOf(own);
  if (location.sight === here.sight) {
    // Without /proc nobody knows whether this is the same container.
    if (process.platform === 'linux' && own.namespace === '') return 'out-of-sight';
    return hasEnded(pid, started) ? 'ended' : 'living';
  }
  // Copies of one disk image have the same machine id. One that wrote since we started is another machine.
  const isEarlierStart = here.machine !== nowhere && location.machine === here.machine && writtenMs < bootMs();
  return isEarlierStart ? 'ended' : 'out-of-sight';
}

/**
 * Whether a process is alive that left this in a file.
 * @param writtenMs when the file was written, in milliseconds since 1970
 * @param by who looks; this process unless said otherwise
 */
export function fateOf(holder: Holder, writtenMs: number, by?: Observer): Fate {
  return fate({ location: locationOf(holder), pid: holder.pid, started: holder.started }, writtenMs, by);
}

/** Stands for this process in the name of a file: no other process, of whatever machine, has the same. */
export function ownTag(): string {
  const { sight, machine } = locationOf(thisProcess());
  return `${process.pid}-${sight}${machine}`;
}

/** The mark at the end of a name, as a pattern. */
export const tagPattern = '\\d+-[0-9a-f]{16}';

/** Whether the process is alive that has put its mark into the name of a file; see `fateOf`. */
export function fateOfTag(mark: string, writtenMs: number): Fate {
  const [pid = '', places = ''] = mark.split('-');
  const location = { sight: places.slice(0, 8), machine: places.slice(8) };
  return fate({ location, pid: Number(pid), started: '' }, writtenMs);
}

/** What of a folder killed processes may have left. */
interface Litter {
  readonly kind: 'file' | 'folder';
  /** The tag of its process in a name (`ownTag`); undefined for the name of something else. */
  readonly tagIn: (name: string) => string | undefined;
  /** Also what was last written before, in milliseconds since 1970, where nobody knows whether the process is alive. */
  readonly olderMs?: number;
}

const isOfKind = (look: Stats, kind: Litter['kind']): boolean =>
  (kind === 'file' ? look.isFile() : look.isDirectory()) &&
  (process.getuid === undefined || look.uid === process.getuid());

function lastWriteMs(path: string, kind: Litter['kind']): number {
  const inside = kind === 'file' ? [] : readdirSync(path).map((name) => join(path, name));
  return Math.max(...[path, ...inside].map((each) => lstatSync(each).mtimeMs));
}

function isAbandoned(path: string, tag: string, { kind, olderMs = -Infinity }: Litter): boolean {
  if (!isOfKind(lstatSync(path), kind)) return false;
  const writtenMs = lastWriteMs(path, kind);
  const fate = fateOfTag(tag, writtenMs);
  return fate === 'ended' || (fate === 'out-of-sight' && writtenMs < olderMs);
}

/**
 * Does work on each entry of a folder. It may be gone, or belong to others: what cannot be taken away is in nobody's way, and
 * the next run looks again.
 */
function quietlyEach(folder: string, work: (path: string, name: string) => void): void {
  for (const name of orElse(() => readdirSync(folder), [])) orElse(() => work(join(folder, name), name), undefined);
}

/** Removes what killed processes of this user left in a folder. What a living process has is left alone. Never throws. */
export function sweepLitter(folder: string, litter: Litter): void {
  quietlyEach(folder, (path, name) => {
    const tag = litter.tagIn(name);
    if (tag !== undefined && isAbandoned(path, tag, litter)) rmSync(path, { recursive: true, force: true });
  });
}

/**
 * Removes files of this user in a folder by their names, for who holds the lock without which nobody writes them. Never
 * throws.
 */
export function sweepFiles(folder: string, isLitter: (name: string) => boolean): void {
  quietlyEach(folder, (path, name) => {
    if (isLitter(name) && isOfKind(lstatSync(path), 'file')) rmSync(path, { force: true });
  });
}
