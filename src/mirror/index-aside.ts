import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { attempt } from '../state/own-file.js';
import { openDatabase, type Database } from '../state/sqlite/open.js';
import { completeAside, createAside, indexAside, indexesOf, takeIndex } from './search/index-rows.js';
import type { Searched } from './search/match.js';
import type { MirrorTable } from './tables.js';
import { literal, staged, allRows } from './schema.js';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

/**
 * Rows that are indexed at once. FTS5 keeps them in memory; fewer are indexed sooner by the swap than by a file of their own;
 * of more, the journal of the mirror would have to wait, which cannot begin anew while it is read.
 */
const rowsAtOnce = 10_000;

const cacheKiB = 2 * 1024;

/** The file of an index that is made beside a mirror. */
export const asideOf = (mirror: string): string => `${mirror}-find`;

/** Removes the file that a sync left which was killed. Throws `local`. */
export const removeAside = (mirror: string): void =>
  attempt(asideOf(mirror), () => rmSync(asideOf(mirror), { force: true }));

const attached = 'aside';

function ofStaged(table: Searched): Searched {
  const inStage = (base: string): string => staged(base.slice(allRows('').length));
  return {
    ...table,
    base: inStage(table.base),
    lists: table.lists.map((list) => ({ ...list, base: inStage(list.base) })),
  };
}

function open(mirror: string, tables: readonly Searched[]): Database {
  const file = asideOf(mirror);
  removeAside(mirror);
  closeSync(openSync(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
  const database = openDatabase({ file, what: 'The index of the mirror' });
  // Nothing is lost with it: an index is made without it, too.
  database.execute(
    `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; PRAGMA cache_size = -${cacheKiB};`,
  );
  database.execute(tables.map(createAside).join(' '));
  database.execute(`ATTACH ${literal(resolve(mirror))} AS mirror`);
  return database;
}

/**
 * The index of a table without rows, made on another thread while a sync stages them, in a file of its own beside the mirror.
 * It is of use only while no staged row is changed or taken back; without it, the swap makes the index.
 */
export class IndexAside {
  readonly #mirror: string;
  readonly #tables: readonly Searched[];
  #database: Database | undefined;
  #committed = 0;
  #indexed = 0;
  #isOver = false;
  /** The mirror that it was put into, to which it is attached until it is closed. */
  #putInto: Database | undefined;
  #work: Promise<void> | undefined;

  constructor(mirror: string, { name }: MirrorTable) {
    this.#mirror = mirror;
    this.#tables = indexesOf(allRows(name));
    this.#isOver = this.#tables.length === 0;
  }

  committed(seq: number): void {
    this.#committed = seq;
    if (this.#isOver || seq - this.#indexed < rowsAtOnce) return;
    this.#work ??= this.#indexAll(rowsAtOnce);
  }

  /** Indexes what is committed, as long as there are so many rows. A failure is not told: the swap does without. */
  async #indexAll(fewest: number): Promise<void> {
    try {
      this.#database ??= open(this.#mirror, this.#tables);
      while (!this.#isOver && this.#committed - this.#indexed >= fewest) {
        const to = Math.min(this.#committed, this.#indexed + rowsAtOnce);
        for (const table of this.#tables)
          await indexAside(this.#database, ofStaged(table), { from: this.#indexed + 1, to });
        this.#indexed = to;
      }
    } catch {
      this.#isOver = true;
    }
    this.#work = undefined;
  }

  /** It is of no use any more: a staged row changed. */
  giveUp(): void {
    this.#isOver = true;
  }

  /** Indexes the last rows, and gives itself; undefined when it cannot be used. */
  async complete(): Promise<this | undefined> {
    await this.#work;
    if (this.#isOver || this.#database === undefined) return undefined;
    await this.#indexAll(1);
    try {
      for (const table of this.#tables) await completeAside(this.#database, table);
    } catch {
      this.#isOver = true;
    }
    return this.#isOver ? undefined : this;
  }

  /** Puts it into a mirror, within the transaction that makes its rows visible. Throws `local`. */
  putInto(database: Database): void {
    database.execute(`ATTACH ${literal(asideOf(resolve(database.file)))} AS ${attached}`);
    this.#putInto = database;
    for (const table of this.#tables) takeIndex(database, table, attached);
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#database?.interrupt();
    await this.#work;
    this.#putInto?.execute(`DETACH ${attached}`);
    this.#database?.close();
    if (this.#database !== undefined) removeAside(this.#mirror);
    this.#database = undefined;
  }
}

/** The index of a table in which no row is yet. */
export function indexFor(database: Database, table: MirrorTable): IndexAside | undefined {
  const isEmpty = database.statement(`SELECT 1 FROM "${allRows(table.name)}"`).first() === undefined;
  return isEmpty ? new IndexAside(database.file, table) : undefined;
}
