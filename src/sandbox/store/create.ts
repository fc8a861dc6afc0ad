import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { RelctlError, codeOf } from '../../core/errors/relctl-error.js';
import { tagPattern, ownTag, sweepLitter } from '../../state/locks/holder.js';
import { openStore, type Store } from './open.js';
import { createIndexes, createTables, schemaVersion } from './schema.js';
import { syncFolderOf } from '../../state/durable.js';
import { makeFolders } from '../../state/own-file.js';

/** Called with the progress of making a database: what is made, the index of the next one, and how many there are. */
export type ReportProgress = (what: string, at: number, of: number) => void;

/** A database to open, and how to make it when it is not there. */
export interface StoreRequest {
  readonly file: string;
  /** Fills the empty tables; runs in one transaction. */
  readonly fill: (store: Store) => void;
  /** May throw: then no database is made. */
  readonly report?: ReportProgress;
}

const workPrefix = '.relctl-sandbox-';
const markedWork = new RegExp(`^\\.relctl-sandbox-(${tagPattern})-\\w{6}$`);

/** A work folder whose maker cannot be checked is abandoned when nothing was written to it for so long. */
const abandonedAfterMs = 60 * 60 * 1000;

const failed = (file: string, thrown: unknown): RelctlError => {
  if (thrown instanceof RelctlError) return thrown;
  const code = codeOf(thrown);
  return new RelctlError('local', `relctl cannot create the sandbox database ${file}: ${code ?? String(thrown)}.`, {
    facts: { path: file, foreignCode: code },
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
    const indexes = createIndexes();
    for (const [at, statement] of indexes.entries()) {
      request.report?.('indexes', at, indexes.length);
      store.execute(statement);
    }
    store.execute(`PRAGMA user_version = ${schemaVersion()}`);
    // The mode is stored in the file. Set here, because processes that set it on one file at once block each other.
    store.statement('PRAGMA journal_mode = WAL').all();
    store.statement('PRAGMA wal_checkpoint(TRUNCATE)').all();
  } finally {
    store.close();
  }
};

/** Puts a finished file, which nobody has open, in its place durably, unless another process was first. */
export function moveStore(made: string, file: string): void {
  try {
    linkSync(made, file);
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return;
    // Some file systems have no hard links. A rename is whole too; it only cannot promise that nobody was first.
    if (!existsSync(file)) renameSync(made, file);
  }
  syncFolderOf(file);
}

/** Removes work folders of killed runs; without the time, only those of processes that have ended for certain. */
export function sweepWork(file: string, nowMs = -Infinity): void {
  const tagIn = (name: string): string | undefined => markedWork.exec(name)?.[1];
  sweepLitter(dirname(file), { kind: 'folder', tagIn, olderMs: nowMs - abandonedAfterMs });
}

/** Makes a work folder beside a database, and removes those that killed runs left. Throws RelctlError `local`. */
export function openWork(file: string): string {
  const folder = dirname(file);
  try {
    makeFolders(folder);
    const own = mkdtempSync(join(folder, `${workPrefix}${ownTag()}-`));
    sweepWork(file, statSync(own).mtimeMs);
    return own;
  } catch (thrown) {
    throw failed(file, thrown);
  }
}

const make = (request: StoreRequest): void => {
  const own = openWork(request.file);
  try {
    const work = join(own, 'database');
    build(request, work);
    // The driver releases a closed file at some later time, and SQLite keeps one lock table for each file within a
    // process: a file that was open under its first name would share no locks with other processes under its second.
    const finished = join(own, 'finished');
    copyFileSync(work, finished, constants.COPYFILE_FICLONE);
    chmodSync(finished, 0o600);
    sync(finished);
    moveStore(finished, request.file);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
};

const checked = (store: Store): Store => {
  try {
    const version = Number(store.statement('PRAGMA user_version').first()?.[0]);
    const ownVersion = schemaVersion();
    if (version === ownVersion) return store;
    throw new RelctlError(
      'local',
      `The sandbox database ${store.file} is of another version (${version}, not ${ownVersion}).`,
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
