import { basename, dirname, resolve } from 'node:path';

/** Where the disk is mounted: calls for other paths go to the machine's own file system. */
export const mount = '/relctl-model';

/** Numbers drawn by lot: at least 0 and below what is asked. */
export type Lots = (below: number) => number;

type Change = { readonly at: number; readonly bytes: Buffer } | { readonly length: number };

/** A file: what a process reads of it, and what of that is durable. */
export interface File {
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
export interface Folder {
  names: Map<string, File>;
  synced: Map<string, File>;
  steps: Step[];
}

/** The error by which a call of the disk fails, with the code of the system. */
export const failure = (code: string, path: string): Error => Object.assign(new Error(`${code}: ${path}`), { code });

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
export class Platter {
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
export function syncFile(file: File): void {
  file.synced = file.bytes;
  file.changes = [];
}

/** Gives what syncs a file as far as it was written by now. */
export function syncLater(file: File): () => void {
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
export function syncFolder(folder: Folder): void {
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
