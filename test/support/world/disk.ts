import { basename, dirname, resolve } from 'node:path';
import fs, { type Stats } from 'node:fs';

/** Where the disk is mounted: calls for other paths go to the machine's own file system. */
export const mount = '/relctl-model';

/** Numbers drawn by lot: at least 0 and below what is asked. */
export type Lots = (below: number) => number;

type Change = { readonly at: number; readonly bytes: Buffer } | { readonly length: number };

/** A file: what a process reads of it, and what of that is durable. */
interface File {
  readonly inode: number;
  mode: number;
  links: number;
  modifiedMs: number;
  /** What a process reads. */
  bytes: Buffer;
  /** What is on the platter for certain. */
  synced: Buffer;
  /** What was written since, in order. */
  changes: Change[];
}

/** What a folder's names become by one call: a rename changes two at once. */
type Step = ReadonlyMap<string, File | undefined>;

/** A folder: its names, and which of them are durable. */
interface Folder {
  names: Map<string, File>;
  synced: Map<string, File>;
  steps: Step[];
}

/** The error by which a call of the disk fails, with the code of the system. */
const failure = (code: string, path: string): Error => Object.assign(new Error(`${code}: ${path}`), { code });

function changed(bytes: Buffer, change: Change): Buffer {
  if ('length' in change) {
    const cut = Buffer.alloc(change.length);
    bytes.copy(cut, 0, 0, Math.min(bytes.length, change.length));
    return cut;
  }
  const grown = Buffer.alloc(Math.max(bytes.length, change.at + change.bytes.length));
  bytes.copy(grown);
  change.bytes.copy(grown, change.at);
  return grown;
}

/**
 * What stands on a disk. What was not synced may be lost with the power: the last steps of a folder, and of a file any of its
 * writes, the last one torn. Making a folder is taken to be durable, as it is on file systems with a journal as soon as a file
 * in it was synced.
 */
class Platter {
  readonly #folders = new Map<string, Folder>();
  #nextInode = 1;
  #clockMs = Date.UTC(2026, 0);

  /** The power fails: what was not synced is there or not, by lot. */
  losePower(lots: Lots): void {
    for (const folder of this.#folders.values()) {
      const kept = lots(folder.steps.length + 1);
      const names = new Map(folder.synced);
      for (const step of folder.steps.slice(0, kept)) applyStep(names, step);
      folder.names = names;
    }
    const named = [...this.#folders.values()].flatMap(({ names }) => [...names.values()]);
    const files = new Set(named);
    for (const file of files) {
      file.bytes = survivors(file, lots);
      file.links = named.filter((each) => each === file).length;
    }
    for (const folder of this.#folders.values()) syncFolder(folder);
    for (const file of files) syncFile(file);
  }

  /** All files: path and content. */
  files(): ReadonlyMap<string, string> {
    const all = [...this.#folders].flatMap(([path, { names }]) =>
      [...names].map(([name, { bytes }]) => [`${path}/${name}`, bytes.toString()] as const),
    );
    return new Map(all);
  }

  /** Takes a file away, for certain: what another program does who has taken its content. */
  take(path: string): string | undefined {
    const folder = this.#folders.get(dirname(path));
    const file = folder?.names.get(basename(path));
    if (folder === undefined || file === undefined) return undefined;
    folder.names.delete(basename(path));
    folder.synced.delete(basename(path));
    folder.steps = folder.steps.map((step) => new Map([...step].filter(([name]) => name !== basename(path))));
    return file.bytes.toString();
  }

  folder(path: string): Folder | undefined {
    return this.#folders.get(resolve(path));
  }

  find(path: string): File | undefined {
    return this.#folders.get(dirname(resolve(path)))?.names.get(basename(path));
  }

  /** Changes names of one folder at once: that of a path. Each name is given as a path, with the file that it has then. */
  rename(path: string, names: readonly (readonly [path: string, file: File | undefined])[]): void {
    const folder = this.folder(dirname(resolve(path)));
    if (folder === undefined) throw failure('ENOENT', path);
    const step = new Map(names.map(([each, file]) => [basename(each), file]));
    applyStep(folder.names, step);
    folder.steps.push(step);
  }

  /** Makes an empty file. */
  create(path: string, mode: number): File {
    const empty = Buffer.alloc(0);
    const file: File = {
      inode: (this.#nextInode += 1),
      mode,
      links: 1,
      modifiedMs: (this.#clockMs += 1),
      bytes: empty,
      synced: empty,
      changes: [],
    };
    this.rename(path, [[path, file]]);
    return file;
  }

  /** Makes a folder and those that it is in. */
  makeFolder(path: string): void {
    for (let at = resolve(path); at.startsWith(mount); at = dirname(at)) {
      if (!this.#folders.has(at)) this.#folders.set(at, { names: new Map(), synced: new Map(), steps: [] });
    }
  }

  /** Writes to a file, or cuts it. */
  change(file: File, change: Change): void {
    file.changes.push(change);
    file.bytes = changed(file.bytes, change);
    file.modifiedMs = this.#clockMs += 1;
  }
}

function applyStep(names: Map<string, File>, step: Step): void {
  for (const [name, file] of step) {
    if (file === undefined) names.delete(name);
    else names.set(name, file);
  }
}

/** Makes durable what was written to a file. */
function syncFile(file: File): void {
  file.synced = file.bytes;
  file.changes = [];
}

/** Gives what syncs a file as far as it was written by now. */
function syncLater(file: File): () => void {
  const { bytes, changes } = file;
  const last = changes.at(-1);
  return () => {
    const at = last === undefined ? -1 : file.changes.indexOf(last);
    // A later sync has ended before.
    if (at === -1) return;
    file.synced = bytes;
    file.changes = file.changes.slice(at + 1);
  };
}

/** Makes the names of a folder durable. */
function syncFolder(folder: Folder): void {
  folder.synced = new Map(folder.names);
  folder.steps = [];
}

/** Content behind a loss of power: the first writes and a piece of the next; or any of them, and zeros between. */
function survivors({ synced, changes }: File, lots: Lots): Buffer {
  const torn = (change: Change): Change =>
    'length' in change ? change : { at: change.at, bytes: change.bytes.subarray(0, lots(change.bytes.length + 1)) };
  if (lots(3) > 0) {
    const kept = lots(changes.length + 1);
    const next = changes.slice(kept, kept + 1).map(torn);
    return [...changes.slice(0, kept), ...next].reduce(changed, synced);
  }
  return changes
    .filter(() => lots(2) === 0)
    .map((change) => (lots(4) === 0 ? torn(change) : change))
    .reduce(changed, synced);
}

const own = process.getuid?.() ?? 0;

/** As much of what the system tells of a file as is asked for here. */
function statsOf(file: File): Stats {
  const { inode, mode, links, bytes, modifiedMs } = file;
  const facts = { ino: inode, mode: 0o100000 | mode, nlink: links, size: bytes.length, mtimeMs: modifiedMs, uid: own };
  const no = (): boolean => false;
  const kind = { isFile: () => true, isDirectory: no, isSymbolicLink: no, isCharacterDevice: no, isFIFO: no };
  return Object.assign(Object.create(null) as Stats, facts, kind);
}

/** The same of a folder. */
const folderStats: Stats = Object.assign(Object.create(null) as Stats, {
  ...{ mode: 0o40700, nlink: 2, size: 0, uid: own },
  ...{ isFile: () => false, isDirectory: () => true, isSymbolicLink: () => false, isFIFO: () => false },
});

interface Open {
  readonly file: File | undefined;
  readonly folder: Folder | undefined;
  readonly isAppend: boolean;
}

/** The process is killed: whatever it still calls has no effect. */
class Killed extends Error {
  readonly code = 'EKILLED';
}

/** Handles of this disk begin here; those of the machine's own files are smaller. */
export const firstHandle = 1_000_000;

/** Calls of node:fs that wait for the disk, and a process that may be killed at each. */
class DiskCalls {
  readonly #platter = new Platter();
  readonly #handles = new Map<number, Open>();
  #nextHandle = firstHandle;
  /** Calls until the process is killed. */
  #left = Number.POSITIVE_INFINITY;
  #isKilled = false;
  #lots: Lots = () => 0;
  calls = 0;
  /** Bytes that are still taken, until the disk is full. */
  room = Number.POSITIVE_INFINITY;

  /** Kills the process at the call with this number from now on; a write of that call may happen in part. */
  killAt(call: number, lots: Lots): void {
    this.#left = call;
    this.#lots = lots;
  }

  /** Kills the process at once. */
  kill(): void {
    this.#isKilled = true;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** A new process: nothing is open. */
  restart(): void {
    this.#handles.clear();
    this.#left = Number.POSITIVE_INFINITY;
    this.room = Number.POSITIVE_INFINITY;
    this.#isKilled = false;
  }

  /** The power fails: what was not synced is there or not, by lot. */
  losePower(lots: Lots): void {
    this.#platter.losePower(lots);
  }

  /** All files: path and content. */
  files(): ReadonlyMap<string, string> {
    return this.#platter.files();
  }

  /** Takes a file away, for certain: what another program does who has taken its content. */
  take(path: string): string | undefined {
    return this.#platter.take(path);
  }

  #count(): void {
    this.calls += 1;
    if (this.#isKilled) throw new Killed('killed');
    this.#left -= 1;
    if (this.#left > 0) return;
    this.#isKilled = true;
    throw new Killed('killed');
  }

  #opened(handle: number): Open {
    const found = this.#handles.get(handle);
    if (found === undefined) throw failure('EBADF', String(handle));
    return found;
  }

  #file(handle: number): File {
    const { file } = this.#opened(handle);
    if (file === undefined) throw failure('EISDIR', String(handle));
    return file;
  }

  /** A write at which the process may be killed half-way. */
  #write(file: File, at: number, bytes: Buffer): number {
    const wasKilled = this.#isKilled;
    try {
      this.#count();
    } catch (thrown) {
      if (!wasKilled) this.#platter.change(file, { at, bytes: bytes.subarray(0, this.#lots(bytes.length + 1)) });
      throw thrown;
    }
    const taken = bytes.subarray(0, this.room);
    if (taken.length === 0 && bytes.length > 0) throw failure('ENOSPC', 'the disk is full');
    this.room -= taken.length;
    this.#platter.change(file, { at, bytes: taken });
    return taken.length;
  }

  openSync(path: string, flags: string | number = 'r', mode = 0o666): number {
    this.#count();
    const handle = (this.#nextHandle += 1);
    const folder = this.#platter.folder(path);
    if (folder !== undefined) {
      this.#handles.set(handle, { file: undefined, folder, isAppend: false });
      return handle;
    }
    const has = (letter: string, bit: number): boolean =>
      typeof flags === 'number' ? (flags & bit) !== 0 : flags.includes(letter);
    const { O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = fs.constants;
    const isMade = has('w', O_CREAT) || has('a', O_CREAT);
    const found = this.#platter.find(path);
    if (found === undefined && !isMade) throw failure('ENOENT', path);
    if (found !== undefined && isMade && has('x', O_EXCL)) throw failure('EEXIST', path);
    const file = found ?? this.#platter.create(path, mode);
    if (found !== undefined && has('w', O_TRUNC)) this.#platter.change(file, { length: 0 });
    this.#handles.set(handle, { file, folder: undefined, isAppend: has('a', O_APPEND) });
    return handle;
  }

  closeSync(handle: number): void {
    this.#count();
    this.#opened(handle);
    this.#handles.delete(handle);
  }

  writeSync(handle: number, data: Uint8Array, offset = 0, length = data.length - offset, at?: number | null): number {
    const file = this.#file(handle);
    return this.#write(file, at ?? file.bytes.length, Buffer.from(data.subarray(offset, offset + length)));
  }

  readSync(handle: number, into: Uint8Array, offset = 0, length = into.length - offset, at: number | null = 0): number {
    this.#count();
    const part = this.#file(handle).bytes.subarray(at ?? 0, (at ?? 0) + length);
    into.set(part, offset);
    return part.length;
  }

  ftruncateSync(handle: number, length = 0): void {
    this.#count();
    const file = this.#file(handle);
    if (file.bytes.length !== length) this.#platter.change(file, { length });
  }

  fsyncSync(handle: number): void {
    this.#count();
    const { file, folder } = this.#opened(handle);
    if (file !== undefined) syncFile(file);
    if (folder !== undefined) syncFolder(folder);
  }

  fstatSync(handle: number): Stats {
    this.#count();
    return statsOf(this.#file(handle));
  }

  statSync(path: string, options: { readonly throwIfNoEntry?: boolean } = {}): Stats | undefined {
    this.#count();
    if (this.#platter.folder(path) !== undefined) return folderStats;
    const file = this.#platter.find(path);
    if (file !== undefined) return statsOf(file);
    if (options.throwIfNoEntry === false) return undefined;
    throw failure('ENOENT', path);
  }

  realpathSync(path: string): string {
    this.statSync(path);
    return path;
  }

  chmodSync(path: string, mode: number): void {
    this.#count();
    const file = this.#platter.find(path);
    if (file !== undefined) file.mode = mode;
    else if (this.#platter.folder(path) === undefined) throw failure('ENOENT', path);
  }

  fchmodSync(handle: number, mode: number): void {
    this.#count();
    this.#file(handle).mode = mode;
  }

  mkdirSync(path: string): undefined {
    this.#count();
    this.#platter.makeFolder(path);
    return undefined;
  }

  readdirSync(path: string): readonly string[] {
    this.#count();
    const folder = this.#platter.folder(path);
    if (folder === undefined) throw failure('ENOENT', path);
    return [...folder.names.keys()].sort();
  }

  rmSync(path: string, { force = false }: { readonly force?: boolean } = {}): void {
    this.#count();
    const file = this.#platter.find(path);
    if (file === undefined) {
      if (force) return;
      throw failure('ENOENT', path);
    }
    file.links -= 1;
    this.#platter.rename(path, [[path, undefined]]);
  }

  renameSync(from: string, to: string): void {
    this.#count();
    const file = this.#platter.find(from);
    if (file === undefined) throw failure('ENOENT', from);
    if (dirname(resolve(from)) !== dirname(resolve(to))) throw failure('EXDEV', to);
    this.#platter.rename(to, [
      [from, undefined],
      [to, file],
    ]);
  }

  linkSync(from: string, to: string): void {
    this.#count();
    const file = this.#platter.find(from);
    if (file === undefined) throw failure('ENOENT', from);
    if (this.#platter.find(to) !== undefined) throw failure('EEXIST', to);
    file.links += 1;
    this.#platter.rename(to, [[to, file]]);
  }

  existsSync(path: string): boolean {
    return this.statSync(path, { throwIfNoEntry: false }) !== undefined;
  }

  accessSync(path: string): void {
    this.statSync(path);
  }

  readFileSync(path: string, options?: string | { readonly encoding?: string }): string | Buffer {
    this.#count();
    const file = this.#platter.find(path);
    if (file === undefined) throw failure('ENOENT', path);
    return options === undefined ? Buffer.from(file.bytes) : file.bytes.toString();
  }

  #put(path: string, data: string | Uint8Array, how: { readonly flag: string; readonly flush?: boolean }): void {
    const handle = this.openSync(path, how.flag);
    const file = this.#file(handle);
    const bytes = Buffer.from(data);
    let at = 0;
    do at += this.#write(file, file.bytes.length, bytes.subarray(at));
    while (at < bytes.length);
    if (how.flush === true) this.fsyncSync(handle);
    this.closeSync(handle);
  }

  writeFileSync(
    path: string,
    data: string | Uint8Array,
    options: { readonly flag?: string; readonly flush?: boolean } = {},
  ): void {
    this.#put(path, data, { flag: 'w', ...options });
  }

  appendFileSync(path: string, data: string | Uint8Array): void {
    this.#put(path, data, { flag: 'a' });
  }

  /** Gives what makes durable what was written to a file by now. */
  protected begunSync(handle: number): () => void {
    this.#count();
    return syncLater(this.#file(handle));
  }
}

/** How the end of a call is told that does not wait for the disk. */
type Told = (failure: unknown, ...told: readonly unknown[]) => void;

type ReadRest = [offset: number, length: number, at: number | null, told: Told];

/** A disk in memory, in the place of node:fs for the paths below `mount`. */
export class MemoryDisk extends DiskCalls {
  /** Does later what a call that does not wait began: how much later is up to the world. */
  later: (end: () => void) => void = (end) => void setImmediate(end);

  /** Does a call now and tells its end later: of a process that was killed meanwhile nothing is told but that. */
  #begin(call: () => readonly unknown[], told: Told): void {
    let [failure, result]: [unknown, readonly unknown[]] = [null, []];
    try {
      result = call();
    } catch (thrown) {
      failure = thrown;
    }
    this.later(() => told(this.isKilled ? new Killed('killed') : failure, ...result));
  }

  open(path: string, flags: string | number, mode: number | Told, told?: Told): void {
    const end = typeof mode === 'function' ? mode : told;
    this.#begin(() => [this.openSync(path, flags)], end ?? (() => undefined));
  }

  close(handle: number, told: Told = () => undefined): void {
    this.#begin(() => {
      this.closeSync(handle);
      return [];
    }, told);
  }

  read(handle: number, into: Uint8Array, ...[offset, length, at, told]: ReadRest): void {
    this.#begin(() => [this.readSync(handle, into, offset, length, at), into], told);
  }

  write(handle: number, data: Uint8Array, ...[offset, length, at, told]: ReadRest): void {
    this.#begin(() => [this.writeSync(handle, data, offset, length, at), data], told);
  }

  /** What was written before it was asked for is on the platter when its end is told. */
  fdatasync(handle: number, told: Told): void {
    let end = (): void => undefined;
    try {
      end = this.begunSync(handle);
    } catch (thrown) {
      this.later(() => told(thrown));
      return;
    }
    this.later(() => {
      if (!this.isKilled) end();
      told(this.isKilled ? new Killed('killed') : null);
    });
  }
}
