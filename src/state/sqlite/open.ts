import LibsqlDriver from 'libsql';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Cell } from '../../contract/columns.js';
import { defined } from '../../core/values/value.js';

/** True for the code of a failure because another connection holds the database. */
export const isHeld = (code: string | undefined): boolean => code !== undefined && /^SQLITE_(?:BUSY|LOCKED)/.test(code);

/** The error for a database that another program holds. */
export const heldByAnother = (what: string, path?: string): RelctlError =>
  new RelctlError('locked', `${what} is locked by another program that is writing to it`, {
    facts: { code: 'held', ...defined({ path }) },
    advice: 'Save or discard the changes there, or close the file.',
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

/** The part of the driver that we use, which gives cells of one kind; its published types are those of an older relative. */
interface Driver<C> {
  readonly inTransaction: boolean;
  prepare(sql: string): DriverStatement<C>;
  exec(sql: string): unknown;
  interrupt(): unknown;
  defaultSafeIntegers(isExact: boolean): unknown;
  close(): unknown;
}

/** Values are passed as one array, or by name: the driver takes a single null for an object. */
interface DriverStatement<C> {
  raw(): DriverStatement<C>;
  columns(): readonly AnswerColumn[];
  all(values: readonly Cell[]): readonly (readonly C[])[];
  iterate(values: readonly Cell[] | Readonly<Record<string, Parameter>>): IterableIterator<readonly C[], undefined>;
  get(values: readonly Cell[]): readonly C[] | undefined;
  run(values: readonly Cell[]): { readonly lastInsertRowid: number };
}

const connect = <C>(file: string): Driver<C> => new LibsqlDriver(file) as unknown as Driver<C>;

/** A database to open. */
export interface Opening {
  readonly file: string;
  /** What it is, to begin a sentence of an error: "The sandbox database". */
  readonly what: string;
}

/** How long a statement waits for another process that writes. */
const busyTimeoutMs = 10_000;

const asFailure = ({ file, what }: Opening, thrown: unknown): RelctlError => {
  if (thrown instanceof RelctlError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = thrown instanceof LibsqlDriver.SqliteError ? thrown.code : undefined;
  if (isHeld(code)) return heldByAnother(`${what} ${file}`, file);
  return new RelctlError('local', `${what} ${file} cannot be used: ${message}`, {
    facts: { path: file, foreignCode: code },
    cause: thrown,
  });
};

/** An open database. One process may hold several, several processes may hold one file at once. */
export class Database {
  readonly file: string;
  readonly #opening: Opening;
  readonly #driver: Driver<Cell>;
  readonly #statements = new Map<string, Statement>();
  #isClosed = false;

  constructor(opening: Opening) {
    const { file } = opening;
    this.file = file;
    this.#opening = opening;
    this.#driver = this.#guarded(() => connect<Cell>(file));
    // trusted_schema: views and triggers of a file that somebody else made call what computes, and nothing else.
    this.execute(
      `PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF;`,
    );
  }

  /** The prepared statement of a text; the same text gives the same statement for as long as the store is open. */
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

  /** Runs statements without values on another thread. Until it has settled, no other call may be made on this database. */
  async executeAside(sql: string): Promise<void> {
    const { default: Aside } = await import('libsql/promise');
    const { exec } = Aside.prototype as { exec: (this: Driver<Cell>, sql: string) => Promise<unknown> };
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

  /** Does work in one writing transaction: all of it or nothing. */
  write<T>(work: () => T): T {
    return this.#transaction('BEGIN IMMEDIATE', work);
  }

  /** Does work on one snapshot, so that a page and its field values belong together. */
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
    let rows: DriverStatement<Cell> | undefined;
    // Raw rows can be asked for only of statements that return rows, so the switch waits until rows are wanted.
    const asRows = (): DriverStatement<Cell> => (rows ??= statement.raw());
    return {
      all: (...values) => this.#guarded(() => asRows().all(values)),
      each: (...values) => this.#each(this.#guarded(() => asRows().iterate(values))),
      first: (...values) => this.#guarded(() => asRows().get(values)),
      run: (...values) => this.#guarded(() => statement.run(values).lastInsertRowid),
    };
  }

  *#each(rows: Iterator<Row, undefined>): Generator<Row, undefined> {
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
export const openDatabase = (opening: Opening): Database => new Database(opening);

const rowsAtOnce = 128;

/**
 * Adds rows to a table, in place of those that are the same by its key; many with a statement, because a statement a row costs
 * more than the row.
 * @param fixed columns with the same value in each row, as they stand in a statement
 */
export function bulkInto(
  database: Database,
  table: string,
  { columns, fixed = {} }: { readonly columns: readonly string[]; readonly fixed?: Readonly<Record<string, string>> },
): { readonly add: (cells: readonly Cell[]) => void; readonly flush: () => void } {
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

/** A value that a query gives: integers are exact. SQLite has no booleans. */
export type SqlValue = string | number | bigint | boolean | Uint8Array | null;

type Parameter = string | number | bigint | null;

/** A column of a query. */
export interface AnswerColumn {
  readonly name: string;
  /** The table and the column that it shows as they are; both null for what is computed. */
  readonly table: string | null;
  readonly column: string | null;
}

/** A database file that nothing can be written to. What fails throws what `failureOf` knows. */
export interface ReadOnlyDatabase {
  question(sql: string): {
    readonly columns: readonly AnswerColumn[];
    rows(parameters: Readonly<Record<string, Parameter>>): Iterable<readonly SqlValue[]>;
  };
  close(): void;
}

/** What SQLite says of a statement in words alone, and the name or the text that it is said of. */
const sayings = {
  table: /^no such table: (.*)$/s,
  column: /^no such column: (.*)$/s,
  function: /^no such function: (.*)$/s,
  ambiguous: /^ambiguous column name: (.*)$/s,
  syntax: /near "(.*)": syntax error/s,
  end: /incomplete input()/,
  type: /^datatype mismatch()$/,
  readonly: /readonly database()/,
} as const;

/** Why SQLite did not do something. */
export interface SqliteFailure {
  readonly message: string;
  readonly code: string;
  readonly what?: keyof typeof sayings | undefined;
  readonly name: string;
}

/** What SQLite says of a failure; undefined for one of another kind. */
export function failureOf(thrown: unknown): SqliteFailure | undefined {
  if (thrown instanceof LibsqlDriver.SqliteError) {
    const { message, code } = thrown;
    for (const what of Object.keys(sayings) as (keyof typeof sayings)[]) {
      const [, name] = sayings[what].exec(message) ?? [];
      if (name !== undefined) return { message, code, what, name };
    }
    return { message, code, name: '' };
  }
  // What the driver throws when it cannot open a file holds the path and the number of the code.
  const isOpening = thrown instanceof Error && thrown.message.startsWith('ConnectionFailed');
  return isOpening ? { message: 'it cannot be opened', code: 'SQLITE_CANTOPEN', name: '' } : undefined;
}

/** Most memory that SQLite takes for a query, in bytes; sorting goes to a temporary file before. */
const mostBytes = 512 * 1024 * 1024;

/**
 * Opens a file so that nothing can be written to it: by `mode=ro`, because the driver's own option `readonly` does nothing.
 * In a WAL database a reader makes the -shm file when it is not there, so the folder has to be writable.
 */
export function openReadOnly(file: string): ReadOnlyDatabase {
  const path = encodeURI(file).replaceAll('?', '%3f').replaceAll('#', '%23');
  const driver = connect<SqlValue>(`file:${path}?mode=ro`);
  driver.defaultSafeIntegers(true);
  // trusted_schema: a view in the file cannot call what reads or writes other files.
  driver.exec(
    `PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = FILE; ` +
      `PRAGMA hard_heap_limit = ${mostBytes};`,
  );
  return {
    question(sql) {
      const statement = driver.prepare(sql);
      return { columns: statement.columns(), rows: (parameters) => statement.raw().iterate(parameters) };
    },
    close: () => void driver.close(),
  };
}
