import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { RelctlError } from '../../errors/relctl-error.js';
import { openStore, type Store } from './open.js';
import { createIndexes, createTables, schemaVersion } from './schema.js';

/** A database to open, and how to make it when it is not there. */
export interface StoreRequest {
  readonly file: string;
  /** Fills the empty tables; runs in one transaction. */
  readonly fill: (store: Store) => void;
}

const workPrefix = '.relctl-sandbox-';

/** A folder of work this much older than ours was left by a run that was killed. */
const abandonedAfterMs = 60 * 60 * 1000;

const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

const failed = (file: string, thrown: unknown): RelctlError => {
  if (thrown instanceof RelctlError) return thrown;
  const code = codeOf(thrown);
  return new RelctlError('local', `The sandbox database ${file} cannot be made: ${code ?? String(thrown)}.`, {
    facts: { path: file, ...(code === undefined ? {} : { code }) },
    cause: thrown,
  });
};

const sync = (path: string): void => {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

const build = (request: StoreRequest, work: string): void => {
  const store = openStore(work);
  try {
    // Nobody else sees this file and a broken one is thrown away, so there is nothing to journal. The driver would sort
    // for indexes in memory: a gigabyte of it for a million relations.
    store.execute(
      'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -65536; ' +
        'PRAGMA temp_store = FILE;',
    );
    store.execute(createTables());
    store.write(() => request.fill(store));
    store.execute(createIndexes());
    // The mode is kept in the file. Set here, because processes that set it at once on a shared file get in each other's way.
    store.statement('PRAGMA journal_mode = WAL').all();
    store.statement('PRAGMA wal_checkpoint(TRUNCATE)').all();
  } finally {
    store.close();
  }
};

/** Puts the finished file in its place unless another process was first: then theirs is as good as ours. */
const place = (work: string, file: string): void => {
  try {
    linkSync(work, file);
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return;
    // Some file systems have no hard links. A rename is whole too; it only cannot promise that nobody was first.
    if (!existsSync(file)) renameSync(work, file);
  }
  sync(dirname(file));
};

const removeAbandoned = (folder: string, ours: string): void => {
  const now = statSync(ours).mtimeMs;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(workPrefix)) continue;
    const other = join(folder, name);
    const found = statSync(other, { throwIfNoEntry: false });
    if (found !== undefined && now - found.mtimeMs > abandonedAfterMs) rmSync(other, { recursive: true, force: true });
  }
};

const make = (request: StoreRequest): void => {
  const folder = dirname(request.file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = mkdtempSync(join(folder, workPrefix));
  try {
    removeAbandoned(folder, own);
    const work = join(own, 'database');
    build(request, work);
    // The driver lets go of a closed file at some later time, and SQLite keeps one lock table for each file within a
    // process: a file that was open under its first name would share no locks with other processes under its second.
    const finished = join(own, 'finished');
    copyFileSync(work, finished, constants.COPYFILE_FICLONE);
    chmodSync(finished, 0o600);
    sync(finished);
    place(finished, request.file);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
};

const checked = (store: Store): Store => {
  try {
    const version = Number(store.statement('PRAGMA user_version').first()?.[0]);
    if (version === schemaVersion) return store;
    throw new RelctlError(
      'local',
      `The sandbox database ${store.file} is of another version (${version}, not ${schemaVersion}).`,
      {
        facts: { path: store.file, code: 'other-version' },
        hint: 'relctl sandbox reset',
      },
    );
  } catch (thrown) {
    store.close();
    throw thrown;
  }
};

/**
 * Opens a database, making it first when there is none. It is made beside its place and put there whole, so that processes
 * that start at once, and one that is killed half-way, leave a whole database or none. Throws RelctlError `local`.
 */
export function openOrCreate(request: StoreRequest): Store {
  try {
    if (!existsSync(request.file)) make(request);
  } catch (thrown) {
    throw failed(request.file, thrown);
  }
  return checked(openStore(request.file));
}

/** Removes a database with the files that SQLite keeps beside it. The caller makes sure that nobody has it open. */
export function removeStore(file: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
}
