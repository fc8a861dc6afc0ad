import Driver from 'libsql';

/** A value that a query gives: integers are exact. SQLite has no booleans. */
export type Answer = string | number | bigint | boolean | Uint8Array | null;

type Parameter = string | number | bigint | null;

/** A column of a query. */
export interface AnswerColumn {
  readonly name: string;
  /** The table and the column that it shows as they are; both null for what is computed. */
  readonly table: string | null;
  readonly column: string | null;
}

interface Question {
  readonly columns: readonly AnswerColumn[];
  rows(parameters: Readonly<Record<string, Parameter>>): Iterable<readonly Answer[]>;
}

/** A database file that nothing can be written to. What fails throws what `failureOf` knows. */
export interface ReadOnlyDatabase {
  question(sql: string): Question;
  close(): void;
}

/** Why SQLite did not do something. */
export interface SqliteFailure {
  readonly message: string;
  readonly code: string;
}

/** What SQLite says of a failure; undefined for one of another kind. */
export function failureOf(thrown: unknown): SqliteFailure | undefined {
  if (thrown instanceof Driver.SqliteError) return { message: thrown.message, code: thrown.code };
  // What the driver throws when it cannot open a file holds the path and the number of the code.
  const isOpening = thrown instanceof Error && thrown.message.startsWith('ConnectionFailed');
  return isOpening ? { message: 'it cannot be opened', code: 'SQLITE_CANTOPEN' } : undefined;
}

/** The part of the driver that we use; its published types are those of an older relative. */
interface DriverStatement {
  raw(): DriverStatement;
  columns(): readonly AnswerColumn[];
  iterate(values: Readonly<Record<string, Parameter>>): Iterable<readonly Answer[]>;
}

interface OpenDriver {
  prepare(sql: string): DriverStatement;
  exec(sql: string): unknown;
  defaultSafeIntegers(isExact: boolean): unknown;
  close(): unknown;
}

/** Most memory that SQLite takes for a query, in bytes; sorting goes to a temporary file before. */
const mostBytes = 512 * 1024 * 1024;

/**
 * Opens a file so that nothing can be written to it: by `mode=ro`, because the driver's own option `readonly` does nothing.
 * In a WAL database a reader makes the -shm file when it is not there, so the folder has to be writable.
 */
export function openReadOnly(file: string): ReadOnlyDatabase {
  const path = encodeURI(file).replaceAll('?', '%3f').replaceAll('#', '%23');
  const driver = new Driver(`file:${path}?mode=ro`) as unknown as OpenDriver;
  driver.defaultSafeIntegers(true);
  // trusted_schema: a view in the file cannot call what reads or writes other files.
  driver.exec(
    'PRAGMA busy_timeout = 10000; PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = FILE; ' +
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
