import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';
import { firstHandle, mount, type MemoryDisk } from './disk.js';

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
export async function onDisk<T>(disk: MemoryDisk, work: () => Promise<T>): Promise<T> {
  mounted = disk;
  try {
    return await replaced(work);
  } finally {
    mounted = undefined;
  }
}

/** Loads a program so that it comes to the disk that is mounted when it runs, also by what it keeps of node:fs. */
export const loadedOnDisk = <T>(load: () => T): Promise<T> => replaced(load);
