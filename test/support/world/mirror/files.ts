import Driver from 'libsql';
import { createRequire } from 'node:module';
import fs, { type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import timersPromises from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Lots } from '../disk.js';

/** Bytes of the head of a journal of SQLite, and of that of each page in it. */
const [head, pageHead] = [32, 24];

/** Where the index of a journal says how many of its pages are in the database and synced. */
const placeOfSynced = 96;

/** Where folders are made: in memory where the system has such a place, since nothing here asks what was really synced. */
const place = ((): string => {
  try {
    fs.accessSync('/dev/shm', fs.constants.W_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
})();

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** Not that of a world, in which this waits. */
const turn = timersPromises.setImmediate;

/** Files of a database, as they are when a process is killed: the system keeps what was written. */
type Kept = ReadonlyMap<string, Buffer>;

const read = (folder: string): Kept =>
  new Map(fs.readdirSync(folder).map((name) => [name, fs.readFileSync(join(folder, name))]));

/** A folder of the machine with a mirror, which native code writes: it may be put back to what it was when a run was killed. */
export class MirrorFolder {
  readonly #folder: string;
  readonly file: string;
  #kept: Kept | undefined;
  /** The journal when the run began: it is on the disk by then, because time has passed since it was written. */
  #journal: Buffer | undefined;

  constructor() {
    this.#folder = fs.mkdtempSync(join(place, 'relctl-world-'));
    this.file = join(this.#folder, 'mirror.db');
  }

  /** A run begins. */
  begin(): void {
    this.#journal = read(this.#folder).get('mirror.db-wal');
  }

  /**
   * A run is over. The driver closes a database for good when its statements are collected, and brings its journal in: the next
   * run, and what befalls the files, must not go by when that is.
   */
  async end(): Promise<void> {
    collectGarbage();
    await turn();
  }

  /** Remembers all files as they are now. */
  keep(): void {
    this.#kept = read(this.#folder);
  }

  /**
   * Puts back what was kept. Locks are dropped: who takes over those of a process that was killed is the matter of another
   * test. So is the index of the journal, which is made anew by the first who opens the database.
   * @param lots given when the power failed as well: then what the run added to the journal may be lost where it was not synced
   */
  putBack(lots: Lots | undefined): void {
    const kept = this.#kept ?? read(this.#folder);
    this.#kept = undefined;
    const length = lots === undefined ? undefined : this.#cut(kept, lots);
    this.empty();
    for (const [name, bytes] of kept) {
      if (/\.lock|-shm$/.test(name)) continue;
      const whole = name.endsWith('-wal') ? bytes.subarray(0, length) : bytes;
      fs.writeFileSync(join(this.#folder, name), whole, { mode: 0o600 });
    }
  }

  /** How much is left of the journal. What a checkpoint took from it was synced before. */
  #cut(kept: Kept, lots: Lots): number | undefined {
    const journal = kept.get('mirror.db-wal');
    if (journal === undefined || journal.length <= head) return undefined;
    const index = kept.get('mirror.db-shm');
    const pages = index !== undefined && index.length > placeOfSynced + 4 ? index.readUInt32LE(placeOfSynced) : 0;
    const earlier =
      this.#journal?.subarray(0, head).equals(journal.subarray(0, head)) === true ? this.#journal.length : 0;
    const synced = Math.max(head + pages * (pageHead + journal.readUInt32BE(8)), earlier);
    const cut = synced + lots(Math.max(1, journal.length - synced + 1));
    // A file that has its length may still lack what was written.
    if (lots(2) === 0) journal.fill(0, cut);
    else return cut;
    return undefined;
  }

  /** The names that are there, besides that of the mirror. */
  names(): readonly string[] {
    return fs.readdirSync(this.#folder).filter((name) => name !== 'mirror.db');
  }

  /** All files as text, to look for what must not be in them. */
  texts(): readonly (readonly [string, string])[] {
    return [...read(this.#folder)].map(([name, bytes]) => [name, bytes.toString('latin1')]);
  }

  /** Who may read the files. */
  modes(): readonly number[] {
    return fs.readdirSync(this.#folder).map((name): number => {
      const found: Stats = fs.statSync(join(this.#folder, name));
      return found.mode & 0o777;
    });
  }

  /** Looks at a copy of the mirror: to open the mirror itself would bring its journal in. */
  look<T>(work: (database: Driver.Database) => T): T | undefined {
    const found = read(this.#folder);
    if ((found.get('mirror.db')?.length ?? 0) === 0 && (found.get('mirror.db-wal')?.length ?? 0) === 0)
      return undefined;
    const aside = fs.mkdtempSync(join(place, 'relctl-look-'));
    try {
      for (const [name, bytes] of found)
        if (/mirror\.db(?:-wal)?$/.test(name)) fs.writeFileSync(join(aside, name), bytes);
      const database = new Driver(join(aside, 'mirror.db'));
      try {
        return work(database);
      } finally {
        database.close();
      }
    } finally {
      fs.rmSync(aside, { recursive: true, force: true });
    }
  }

  empty(): void {
    for (const name of fs.readdirSync(this.#folder)) fs.rmSync(join(this.#folder, name), { force: true });
  }

  remove(): void {
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** What is called before each statement that a database runs. */
let before: () => void = () => undefined;

/** The calls of the driver's library that run a statement. */
const calls = ['databaseExecSync', 'databasePrepareSync', 'statementRun', 'statementGet', 'statementRowsSync'] as const;

const { beforeCalls } = createRequire(import.meta.url)('../../statements.cjs') as {
  readonly beforeCalls: (names: readonly string[], called: () => void) => void;
};
beforeCalls(calls, () => before());

/** Calls a function before each statement that a database runs, until the work is done. */
export async function atStatements<T>(called: () => void, work: () => Promise<T>): Promise<T> {
  before = called;
  try {
    return await work();
  } finally {
    before = () => undefined;
  }
}
