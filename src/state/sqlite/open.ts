import Driver from 'libsql';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Cell } from '../../contract/tables/cells.js';
import { defined } from '../../core/values/value.js';

/** True for the code of a failure because another connection holds the database. */
export const isHeld = (code: string | undefined): boolean => code !== undefined && /^SQLITE_(?:BUSY|LOCKED)/.test(code);

/** The error for a database that another program holds. */
export const heldByAnother = (what: string, path?: string): RelctlError =>
  new RelctlError('locked', `${what} is held by another program, which has not ended what it writes to it`, {
    facts: { code: 'held', ...defined({ path }) },
    advice: 'Save or discard there what was changed, or close the file.',
  });

/** A row, in the order of the columns asked for. */
export type Row = readonly Cell[];

/** A prepared statement. Values are bound in order to its `?`. Failures are RelctlError `local`. */
export interface Statement {
  all(...values: readonly Cell[]): readonly Row[];
  /** The rows one after the other, without holding all of them. */
  each(...values: readonly Cell[]): IterableIterator<Row>;
  first(...values: readonly Cell[]): Row | undefined;
  /** Gives the rowid of the row last inserted on this database. */
  run(...values: readonly Cell[]): number;
}

/** An open database. One process may hold several, several processes may hold one file at once. */
export interface Database {
  readonly file: string;
  /** The prepared statement of a text; the same text gives the same statement for as long as the store is open. */
  statement(sql: string): Statement;
  execute(sql: string): void;
  /** Runs statements without values on another thread. Until it has settled, no other call may be made on this database. */
  executeAside(sql: string): Promise<void>;
  interrupt(): void;
  /** Does work in one writing transaction: all of it or nothing. */
  write<T>(work: () => T): T;
  /** Does work on one snapshot, so that a page and its field values belong together. */
  read<T>(work: () => T): T;
  close(): void;
}

/** The part of the driver that we use. Values are passed as one array: the driver takes a single null for an object. */
interface RowIterator {
  next(): IteratorResult<Row, undefined>;
}

interface DriverStatement {
  raw(): DriverStatement;
  all(values: readonly Cell[]): Row[];
  iterate(values: readonly Cell[]): RowIterator;
  get(values: readonly Cell[]): Row | undefined;
  run(values: readonly Cell[]): { readonly lastInsertRowid: number };
}

interface OpenDriver {
  readonly inTransaction: boolean;
  prepare(sql: string): DriverStatement;
  exec(sql: string): unknown;
  interrupt(): unknown;
  close(): unknown;
}

/** A database to open. */
export interface Opening {
  readonly file: string;
  /** What it is, to begin a sentence of an error: "The sandbox database". */
  readonly what: string;
  /** How long a statement waits for another process that writes, in milliseconds; ten seconds when left out. */
  readonly busyMs?: number | undefined;
}

const busyTimeoutMs = 10_000;

const asFailure = ({ file, what }: Opening, thrown: unknown): RelctlError => {
  if (thrown instanceof RelctlError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = thrown instanceof Driver.SqliteError ? thrown.code : undefined;
  if (isHeld(code)) return heldByAnother(`${what} ${file}`, file);
  return new RelctlError('local', `${what} ${file} cannot be used: ${message}`, {
    facts: { path: file, foreignCode: code },
    cause: thrown,
  });
};

class LibsqlDatabase implements Database {
  readonly file: string;
  readonly #opening: Opening;
  readonly #driver: OpenDriver;
  readonly #statements = new Map<string, Statement>();
  #isClosed = false;

  constructor(opening: Opening) {
    const { file, busyMs = busyTimeoutMs } = opening;
    this.file = file;
    this.#opening = opening;
    // The driver's published types are those of an older relative and differ in the result rows: this narrows them.
    this.#driver = this.#guarded(() => new Driver(file) as unknown as OpenDriver);
    // trusted_schema: views and triggers of a file that somebody else made call what computes, and nothing else.
    this.execute(
      `PRAGMA busy_timeout = ${busyMs}; PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF;`,
    );
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

  async executeAside(sql: string): Promise<void> {
    const { default: Aside } = await import('libsql/promise');
    const { exec } = Aside.prototype as { exec: (this: OpenDriver, sql: string) => Promise<unknown> };
    try {
      // Both kinds of connections of the driver are one thing below.
      await exec.call(this.#driver, sql);
    } catch (thrown) {
      throw asFailure(this.#opening, thrown);
    }
  }

  interrupt(): void {
    this.#guarded(() => this.#driver.interrupt());
  }

  write<T>(work: () => T): T {
    return this.#transaction('BEGIN IMMEDIATE', work);
  }

  read<T>(work: () => T): T {
    return this.#transaction('BEGIN', work);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#statements.clear();
    // The driver closes for good when its statements are collected: until then a transaction would go on.
    if (this.#driver.inTransaction) this.execute('ROLLBACK');
    this.#guarded(() => this.#driver.close());
  }

  #prepared(sql: string): Statement {
    const statement = this.#guarded(() => this.#driver.prepare(sql));
    let rows: DriverStatement | undefined;
    // Raw rows can be asked for only of statements that return rows, so the switch waits until rows are wanted.
    const asRows = (): DriverStatement => (rows ??= statement.raw());
    return {
      all: (...values) => this.#guarded(() => asRows().all(values)),
      each: (...values) => this.#each(this.#guarded(() => asRows().iterate(values))),
      first: (...values) => this.#guarded(() => asRows().get(values)),
      run: (...values) => this.#guarded(() => statement.run(values).lastInsertRowid),
    };
  }

  *#each(rows: RowIterator): Generator<Row, undefined> {
    const next = (): IteratorResult<Row, undefined> => this.#guarded(() => rows.next());
    for (let step = next(); step.done !== true; step = next()) yield step.value;
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
      throw asFailure(this.#opening, thrown);
    }
  }
}

/**
 * Opens a database file as it is, and makes an empty one when there is none. Throws RelctlError `local` when the file cannot
 * be opened; its statements throw that too.
 */
export const openDatabase = (opening: Opening): Database => new LibsqlDatabase(opening);

const rowsAtOnce = 32;

/** Adds rows to a table, many with a statement: a statement a row costs more than the row. */
export interface Bulk {
  readonly add: (cells: readonly Cell[]) => void;
  readonly flush: () => void;
}

/**
 * Adds rows to a table, in place of those that are the same by its key.
 * @param fixed columns with the same value in each row, as they stand in a statement
 */
export function bulkInto(
  database: Database,
  table: string,
  { columns, fixed = {} }: { readonly columns: readonly string[]; readonly fixed?: Readonly<Record<string, string>> },
): Bulk {
  const names = [...columns, ...Object.keys(fixed)].map((name) => `"${name}"`);
  const row = `(${[...columns.map(() => '?'), ...Object.values(fixed)].join(', ')})`;
  const into = `INSERT OR REPLACE INTO "${table}" (${names.join(', ')}) VALUES `;
  const statements: string[] = [];
  const statementOf = (count: number): string => (statements[count] ??= into + Array(count).fill(row).join(', '));
  let waiting: Cell[] = [];
  const write = (count: number): void => {
    database.statement(statementOf(count)).run(...waiting);
    waiting = [];
  };
  return {
    add: (cells) => {
      for (const cell of cells) waiting.push(cell);
      if (waiting.length === rowsAtOnce * columns.length) write(rowsAtOnce);
    },
    flush: () => {
      if (waiting.length > 0) write(waiting.length / columns.length);
    },
  };
}
