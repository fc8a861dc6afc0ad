import { skip } from '../skip.js';

/** What is asked of DuckDB. */
export interface Questions {
  /** The rows that SQL gives, as values of JavaScript: text, booleans, bigints and null for what relctl writes. */
  rows(sql: string): Promise<readonly (readonly unknown[])[]>;
  close(): void;
}

/**
 * Opens a database in memory of DuckDB, an independent reader of Parquet files. Skips the test that calls it where its
 * library, which is not there for every machine, cannot be loaded.
 */
export async function duckdb(context: Mocha.Context): Promise<Questions> {
  const library = await import('@duckdb/node-api').catch((reason: unknown) =>
    skip(context, `DuckDB cannot be loaded: ${String(reason).split('\n')[0] ?? ''}`),
  );
  const database = await library.DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await database.connect();
  return {
    rows: async (sql) => (await connection.runAndReadAll(sql)).getRows(),
    close() {
      connection.closeSync();
      database.closeSync();
    },
  };
}

/** A text in SQL. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
