import fs from 'node:fs';
import { syncBuiltinESMExports, createRequire } from 'node:module';
import { promisify } from 'node:util';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import crypto from 'node:crypto';
import { firstHandle, mount, MemoryDisk, type Lots } from './disk.js';
import type { finish } from '../../../src/app/exit.js';
import type { run } from '../../../src/app/main.js';
import type { CommandModules } from '../../../src/app/program-config.js';
import type { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { machineClock, readEnvironment } from '../../../src/kit/host/environment.js';
import type { Sink, Streams } from '../../../src/formats/streams.js';
import { onNetwork, secrets, type Network, type Service } from './network.js';
import { Stuck, WorldTime } from './time.js';
import { program as path } from '../relctl.js';
import { SecretFilter } from '../../../src/core/secrets/mask.js';

type Call = (...args: unknown[]) => unknown;

const byPath = [
  ...['openSync', 'statSync', 'lstatSync', 'realpathSync', 'chmodSync', 'mkdirSync', 'readdirSync', 'rmSync'],
  ...['renameSync', 'linkSync', 'readFileSync', 'writeFileSync', 'appendFileSync', 'existsSync', 'accessSync', 'open'],
] as const;
const byHandle = [
  ...['closeSync', 'writeSync', 'readSync', 'ftruncateSync', 'fsyncSync', 'fdatasyncSync', 'fstatSync', 'fchmodSync'],
  ...['close', 'read', 'write', 'fdatasync', 'fsync'],
] as const;
/** Calls that are another one here. */
const alias: Readonly<Record<string, string>> = {
  lstatSync: 'statSync',
  fdatasyncSync: 'fsyncSync',
  fsync: 'fdatasync',
};

const isHere = (first: unknown): boolean =>
  typeof first === 'number' ? first >= firstHandle : typeof first === 'string' && first.startsWith(mount);

/** The disk that is mounted; calls that a program took hold of when it was loaded go by it as well. */
let mounted: MemoryDisk | undefined;

/** Texts of the machine's own files, which stay as they are: what the system tells of this process, the program's own. */
const read = new Map<string, unknown>();

function readOnce(native: Call, args: unknown[]): unknown {
  const key = JSON.stringify(args);
  if (!read.has(key)) read.set(key, native.apply(fs, args));
  return read.get(key);
}

function mountedCall(name: string, native: Call): Call {
  const ours = alias[name] ?? name;
  const isRead = name === 'readFileSync';
  const call: Call = (...args) => {
    const disk = mounted as unknown as Readonly<Record<string, Call>> | undefined;
    if (disk !== undefined && isHere(args[0])) return Reflect.apply(disk[ours] ?? native, disk, args);
    return isRead && args[1] === 'utf8' ? readOnce(native, args) : native.apply(fs, args);
  };
  // What they resolve to is not what they tell first.
  if (name === 'read' || name === 'write') {
    const told = name === 'read' ? 'bytesRead' : 'bytesWritten';
    const asPromise = (...args: unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const end = (failure: unknown, count: unknown, buffer: unknown): void =>
          failure === null || failure === undefined
            ? resolve({ [told]: count, buffer })
            : reject(failure instanceof Error ? failure : new Error('a call of the disk failed'));
        call(...args, end);
      });
    Object.assign(call, { [promisify.custom]: asPromise });
  }
  return call;
}

/** Puts disks in the place of the file system until the work is done. */
async function replaced<T>(work: () => Promise<T> | T): Promise<T> {
  const real = fs as unknown as Record<string, Call>;
  const before = new Map<string, Call>();
  for (const name of [...byPath, ...byHandle]) {
    const native = real[name];
    if (native === undefined) throw new Error(`node:fs has no ${name}`);
    before.set(name, native);
    real[name] = mountedCall(name, native);
  }
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    for (const [name, native] of before) real[name] = native;
    syncBuiltinESMExports();
  }
}

/** Puts a disk in the place of the file system until the work is done. */
async function onDisk<T>(disk: MemoryDisk, work: () => Promise<T>): Promise<T> {
  mounted = disk;
  try {
    return await replaced(work);
  } finally {
    mounted = undefined;
  }
}

/** Loads a program so that it comes to the disk that is mounted when it runs, also by what it keeps of node:fs. */
const loadedOnDisk = <T>(load: () => T): Promise<T> => replaced(load);

interface Built {
  readonly run: typeof run;
  readonly finish: typeof finish;
  readonly commands: CommandModules;
}

/** The program, and the reason that Ctrl-C gives, of the program's own class of errors. */
interface Loaded extends Built {
  readonly interruption: RelctlError;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
let loaded: Promise<Loaded> | undefined;

/** Loads a program of its own, whose calls of the system are those of the world. */
function load(): Built {
  const require = createRequire(import.meta.url);
  const file = require.resolve('../../../dist/start.cjs');
  const { [file]: other } = require.cache;
  const { NODE_DISABLE_COMPILE_CACHE: before } = process.env;
  process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
  Reflect.deleteProperty(require.cache, file);
  try {
    return require(file) as Built;
  } finally {
    if (other === undefined) Reflect.deleteProperty(require.cache, file);
    else require.cache[file] = other;
    if (before === undefined) delete process.env['NODE_DISABLE_COMPILE_CACHE'];
    else process.env['NODE_DISABLE_COMPILE_CACHE'] = before;
  }
}

const silent = keeping(() => true).sink;
const never = new AbortController().signal;

/** What a run has of its process, besides what differs between runs. */
const hostOf = (
  argv: readonly string[],
  signal: AbortSignal,
): Omit<Parameters<typeof run>[0], 'streams' | 'clock'> => ({
  environment: {
    ...{ ...readEnvironment(), variables, program: path, argv },
    ...{ stdinIsTerminal: false, stdin: () => new PassThrough().end() },
  },
  signals: {
    ...{ signal, ask: () => false, received: () => undefined },
    ...{ guardWrite: (write) => write(), isWriting: () => false, stop: () => undefined },
  },
  secrets: new SecretFilter(),
  collectGarbage: () => undefined,
  report: () => Promise.resolve(),
});

const streamsOf = (out: Sink, err: Sink): Streams => ({
  ...{ out, err, prompt: process.stderr, outClosed: never, finish: () => Promise.resolve() },
});

async function withInterruption(built: Built): Promise<Loaded> {
  const { run: main, commands } = built;
  const host = { ...hostOf(['no-such-command'], never), streams: streamsOf(silent, silent), clock: machineClock };
  const { failure } = await main(host, root, commands);
  if (failure === undefined) throw new Error('there is no such command');
  const facts = { foreignCode: 'SIGINT', exitCode: 130 };
  const said = { message: 'interrupted by Ctrl-C', advice: undefined, hint: undefined, facts };
  return { ...built, interruption: failure.but({ kind: 'interrupted', ...said }) };
}

/** What befalls a run; numbers count from 1. */
export interface Fate {
  /** The call to the disk at which the process is killed. */
  readonly killedAtCall?: number | undefined;
  /** The step of exchanges at which it is killed, or gets Ctrl-C. */
  readonly killedAtStep?: number | undefined;
  readonly interruptedAtStep?: number | undefined;
  /** Bytes that the disk takes before it is full. */
  readonly room?: number | undefined;
}

/** How a run ended. */
export interface Ran {
  readonly end: 'killed' | 'stuck' | number;
  readonly stdout: string;
  readonly stderr: string;
}

const variables = {
  HOME: `${mount}/home`,
  RELCTL_CONFIG_DIR: `${mount}/config`,
  RELCTL_STATE_DIR: `${mount}/state`,
  RELCTL_BASE_URL: 'http://127.0.0.1:1',
  RELCTL_NAMESPACE: 'http://relctl.example/sandbox',
  RELCTL_API_KEY: secrets.apiKey,
  RELCTL_USER_NAME: 'operator',
  RELCTL_PASSWORD: secrets.password,
  RELCTL_TIME_ZONE: 'UTC',
};

/** A sink that keeps what is written until the process is killed. */
function keeping(isKilled: () => boolean): { readonly sink: Sink; readonly text: () => string } {
  let text = '';
  const keep = (piece: string | Uint8Array): Promise<void> => {
    if (!isKilled()) text += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    return Promise.resolve();
  };
  const facts = { isTerminal: false, isPipe: true, width: undefined, hasColor: false };
  return { sink: { write: keep, writeBytes: keep, ...facts }, text: () => text };
}

/** One machine with its time, disk and network, and the program on it; a seed decides all. */
export class World {
  readonly time = new WorldTime();
  readonly disk = new MemoryDisk();
  readonly lots: Lots;
  readonly service: Service;
  /** All that was ever said. */
  said = '';
  #steps = 0;
  #fate: Fate = {};
  #interrupt: () => void = () => undefined;
  #isOver = true;
  /** Called when a run is killed, where something but the disk of this world must stay as it is then. */
  onKill: (() => void) | undefined;

  constructor(lots: Lots, service: Service) {
    this.lots = lots;
    this.service = service;
    this.disk.later = (end) => void this.time.after(1 + lots(12), end);
  }

  #network(): Network {
    const { time, lots, service, disk } = this;
    return { time, lots, service, isDown: () => disk.isKilled || this.#isOver, step: () => this.#step() };
  }

  #step(): void {
    if (this.#isOver) return;
    this.#steps += 1;
    if (this.#steps === this.#fate.killedAtStep) this.kill();
    if (this.#steps === this.#fate.interruptedAtStep) this.#interrupt();
  }

  /** Kills the run that is under way: what it still does has no effect on the disk, the service and what it said. */
  kill(): void {
    if (this.#isOver || this.disk.isKilled) return;
    this.disk.kill();
    if (this.onKill === undefined) return;
    this.onKill();
    // What it holds open outside this world is closed soon then.
    this.#interrupt();
  }

  /** Does work of a schedule in this world. */
  within<T>(work: () => Promise<T>): Promise<T> {
    const { randomUUID, randomBytes } = crypto;
    const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => this.lots(256)));
    const uuid = (): string =>
      bytes(16)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    Object.assign(crypto, { randomUUID: uuid, randomBytes: bytes });
    return this.time
      .reign(() => onDisk(this.disk, () => onNetwork(this.#network(), work)))
      .finally(() => Object.assign(crypto, { randomUUID, randomBytes }));
  }

  /** Runs the program as a process of its own. */
  async run(argv: readonly string[], fate: Fate = {}): Promise<Ran> {
    const { disk, lots, time } = this;
    const {
      run: main,
      finish: end,
      commands,
      interruption,
    } = await (loaded ??= loadedOnDisk(load).then(withInterruption));
    disk.restart();
    if (fate.killedAtCall !== undefined) disk.killAt(fate.killedAtCall, lots);
    if (fate.room !== undefined) disk.room = fate.room;
    [this.#steps, this.#fate, this.#isOver] = [0, fate, false];
    const [out, err] = [keeping(() => disk.isKilled), keeping(() => disk.isKilled)];
    const stopping = new AbortController();
    this.#interrupt = () => stopping.abort(interruption);
    const clock = { nowMs: () => time.nowMs, date: () => new Date(time.nowMs), random: () => lots(1000) / 1000 };
    const host = { ...hostOf(argv, stopping.signal), streams: streamsOf(out.sink, err.sink), clock };
    const work = main(host, root, commands).then(end);
    const code = await time.during(work).catch((thrown: unknown) => {
      if (thrown instanceof Stuck) return 'stuck' as const;
      throw thrown;
    });
    this.#isOver = true;
    time.endProcess();
    this.said += out.text() + err.text();
    return { end: disk.isKilled ? 'killed' : code, stdout: out.text(), stderr: err.text() };
  }
}
