import fs, { type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { failure, Platter, syncFile, syncFolder, syncLater, type File, type Folder, type Lots } from './platter.js';
import { folderStats, statsOf } from './stats.js';

interface Open {
  readonly file: File | undefined;
  readonly folder: Folder | undefined;
  readonly isAppend: boolean;
}

/** The process is killed: whatever it still calls has no effect. */
export class Killed extends Error {
  readonly code = 'EKILLED';
}

/** Handles of this disk begin here; those of the machine's own files are smaller. */
export const firstHandle = 1_000_000;

/** Calls of node:fs that wait for the disk, and a process that may be killed at each. */
export class DiskCalls {
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
