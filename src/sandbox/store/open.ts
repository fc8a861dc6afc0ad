import Database from 'libsql';

import { RelctlError } from '../../errors/relctl-error.js';
import type { RecordValue } from '../../plain/value.js';

/** The value of a cell of the database. Booleans are 0 and 1; long, decimal, dateTime and guid are text. */
export type Cell = string | number | null;

/** A row, in the order of the columns asked for. */
export type Row = readonly Cell[];

/** A prepared statement. Values are bound in order to its `?`. Failures are RelctlError `local`. */
interface Statement {
  all(...values: readonly Cell[]): readonly Row[];
  first(...values: readonly Cell[]): Row | undefined;
  /** Gives the `seq` of the row last inserted on this store. */
  run(...values: readonly Cell[]): number;
}

/** Makes rows of the data set again that a table keeps in outline (see layout.ts). */
export interface Origin {
  /** A new record, with its field values, or without: most readings do not need them. */
  record(table: string, seq: number, withValues: boolean): RecordValue;
  /** The columns beside those of the record that the row lacks in outline. */
  extra(table: string, seq: number): Readonly<Record<string, Cell>>;
  /** The row that has an Id; undefined when the data set has none with it. */
  seqOf(table: string, id: string): number | undefined;
}

/** An open database. One process may hold several, several processes may hold one file at once. */
export interface Store {
  readonly file: string;
  /** Set once the parameters of the data set are known. */
  origin: Origin | undefined;
  /** The prepared statement of a text; the same text gives the same statement for as long as the store is open. */
  statement(sql: string): Statement;
  /** Runs statements without values. */
  execute(sql: string): void;
  /** Does work in one writing transaction: all of it or nothing. */
  write<T>(work: () => T): T;
  /** Does work on one snapshot, so that a page and its field values belong together. */
  read<T>(work: () => T): T;
  close(): void;
}

/** The part of the driver that we use. Values are passed as one array: the driver takes a single null for an object. */
interface DriverStatement {
  raw(): DriverStatement;
  all(values: readonly Cell[]): Row[];
  get(values: readonly Cell[]): Row | undefined;
  run(values: readonly Cell[]): { readonly lastInsertRowid: number };
}

interface Driver {
  readonly inTransaction: boolean;
  prepare(sql: string): DriverStatement;
  exec(sql: string): unknown;
  close(): unknown;
}

/** How long a statement waits for another process that writes. */
const busyTimeoutMs = 10_000;

const asFailure = (file: string, thrown: unknown): RelctlError => {
  if (thrown instanceof RelctlError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = thrown instanceof Database.SqliteError ? thrown.code : undefined;
  return new RelctlError('local', `The sandbox database ${file} cannot be used: ${message}`, {
    facts: { path: file, code },
    cause: thrown,
  });
};

class LibsqlStore implements Store {
  readonly file: string;
  origin: Origin | undefined;
  readonly #driver: Driver;
  readonly #statements = new Map<string, Statement>();

  constructor(file: string) {
    this.file = file;
    // The driver's published types are those of an older relative and differ in the result rows: this narrows them.
    this.#driver = this.#guarded(() => new Database(file) as unknown as Driver);
    this.execute(`PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL;`);
  }

  statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#prepared(sql);
    this.#statements.set(sql, made);
    return made;
  }

  execute(sql: string): void {
    this.#guarded(() => this.#driver.exec(sql));
  }

  write<T>(work: () => T): T {
    return this.#transaction('BEGIN IMMEDIATE', work);
  }

  read<T>(work: () => T): T {
    return this.#transaction('BEGIN', work);
  }

  close(): void {
    this.#statements.clear();
    this.#guarded(() => this.#driver.close());
  }

  #prepared(sql: string): Statement {
    const statement = this.#guarded(() => this.#driver.prepare(sql));
    let rows: DriverStatement | undefined;
    // Raw rows can be asked for only of statements that return rows, so the switch waits until rows are wanted.
    const asRows = (): DriverStatement => (rows ??= statement.raw());
    return {
      all: (...values) => this.#guarded(() => asRows().all(values)),
      first: (...values) => this.#guarded(() => asRows().get(values)),
      run: (...values) => this.#guarded(() => statement.run(values).lastInsertRowid),
    };
  }

  #transaction<T>(begin: string, work: () => T): T {
    this.execute(begin);
    try {
      const result = work();
      this.execute('COMMIT');
      return result;
    } catch (thrown) {
      // A full disk makes SQLite roll back by itself: a second ROLLBACK would hide the first failure.
      if (this.#driver.inTransaction) this.execute('ROLLBACK');
      throw thrown;
    }
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      throw asFailure(this.file, thrown);
    }
  }
}

/**
 * Opens a database file as it is, making an empty one when there is none (see create.ts for a whole one).
 * Throws RelctlError `local` when the file cannot be opened.
 */
export function openStore(file: string): Store {
  return new LibsqlStore(file);
}
