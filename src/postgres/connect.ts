import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { RelctlError } from '../errors/relctl-error.js';
import type { PostgresAddress } from './address.js';
import { postgresFailure, StatementFailure } from './failure.js';
import { tlsOptions } from './tls.js';

/** A value as it is sent: as text, whatever its type. */
export type Sent = string | number | boolean | null;

/** A row in the order of its columns, in the text of PostgreSQL: true is `t`, a number is its digits. */
export type TextRow = readonly (string | null)[];

/** Rows on their way into a table. */
export interface CopyIn {
  /** Sends part of the rows, as lines of the text format of COPY; waits while the server is behind. */
  write(lines: string): Promise<void>;
  /** Says that all rows were sent, and gives how many the server took. */
  end(): Promise<number>;
}

/** A column of a result, with the number of its type. */
export interface ResultColumn {
  readonly name: string;
  readonly type: number;
}

/** What a question gives. */
export interface Result {
  readonly columns: readonly ResultColumn[];
  /** Rows as they are read, a block at a time. */
  readonly rows: AsyncIterable<TextRow>;
}

/** A connection. One statement at a time runs on it. Failures are those of `postgresFailure`. */
export interface Postgres {
  readonly address: PostgresAddress;
  /** Runs one statement, with values for its `$1`, `$2`. */
  rows(sql: string, values?: readonly Sent[]): Promise<readonly TextRow[]>;
  first(sql: string, values?: readonly Sent[]): Promise<TextRow | undefined>;
  /** Gives how many rows it changed. */
  run(sql: string, values?: readonly Sent[]): Promise<number>;
  /** Runs statements without values. */
  execute(sql: string): Promise<void>;
  /** Begins a question; what is wrong with it fails here. Within a transaction. */
  ask(sql: string, values?: readonly Sent[]): Promise<Result>;
  /** Rows as they are read, a block at a time. Within a transaction. */
  each(sql: string, values?: readonly Sent[]): AsyncIterable<TextRow>;
  /** Begins to put rows into a table: `COPY name (columns) FROM STDIN`. */
  copyIn(sql: string): CopyIn;
  /** Does work in one transaction: all of it or nothing. */
  transaction<T>(work: () => Promise<T>, mode?: 'READ ONLY'): Promise<T>;
  /** Ends the connection; what is not committed is undone. Never fails. */
  close(): Promise<void>;
}

/** What a connection is made with. */
export interface ConnectOptions {
  /** Looked up only when the server asks for one. Throws `profile`. */
  readonly password: () => Promise<string | undefined> | string | undefined;
  /** Ends the connection, and what waits for it. */
  readonly signal?: AbortSignal;
}

/** Rows that are read at once: enough that a way to another machine is not walked for every few. */
const blockRows = 2000;

/** The same text everywhere, whatever the server, the database or PGOPTIONS say. No limit of time is set but ours. */
const settings = [
  "SET client_encoding = 'UTF8'",
  'SET standard_conforming_strings = on',
  "SET TimeZone = 'UTC'",
  "SET DateStyle = 'ISO, YMD'",
  "SET IntervalStyle = 'iso_8601'",
  "SET bytea_output = 'hex'",
  'SET extra_float_digits = 1',
  'SET search_path = pg_catalog',
  'SET statement_timeout = 0',
  'SET idle_in_transaction_session_timeout = 0',
  'SET client_min_messages = error',
  // A machine that is gone without a word keeps no lock for the two hours that systems wait by themselves.
  'SET tcp_keepalives_idle = 60',
  'SET tcp_keepalives_interval = 15',
  'SET tcp_keepalives_count = 4',
].join('; ');

const asText = { getTypeParser: () => (text: string) => text };

class Connection implements Postgres {
  readonly address: PostgresAddress;
  readonly #client: pg.Client;
  #cursors = 0;

  constructor(client: pg.Client, address: PostgresAddress) {
    this.#client = client;
    this.address = address;
  }

  async rows(sql: string, values: readonly Sent[] = []): Promise<readonly TextRow[]> {
    return (await this.#query(sql, values)).rows;
  }

  async first(sql: string, values: readonly Sent[] = []): Promise<TextRow | undefined> {
    return (await this.rows(sql, values))[0];
  }

  async run(sql: string, values: readonly Sent[] = []): Promise<number> {
    return (await this.#query(sql, values)).rowCount ?? 0;
  }

  async execute(sql: string): Promise<void> {
    await this.#guarded(() => this.#client.query(sql));
  }

  async ask(sql: string, values: readonly Sent[] = []): Promise<Result> {
    this.#cursors += 1;
    const cursor = `relctl_${this.#cursors}`;
    const declaring = `DECLARE ${cursor} NO SCROLL CURSOR FOR `;
    try {
      await this.#query(`${declaring}${sql}`, values);
    } catch (thrown) {
      throw thrown instanceof StatementFailure ? thrown.behind(declaring.length) : thrown;
    }
    const { fields } = await this.#query(`FETCH 0 FROM ${cursor}`, []);
    const columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
    return { columns, rows: this.#rowsOf(cursor) };
  }

  async *each(sql: string, values: readonly Sent[] = []): AsyncIterable<TextRow> {
    yield* (await this.ask(sql, values)).rows;
  }

  async *#rowsOf(cursor: string): AsyncIterable<TextRow> {
    for (;;) {
      const rows = await this.rows(`FETCH ${blockRows} FROM ${cursor}`);
      yield* rows;
      if (rows.length < blockRows) break;
    }
    await this.execute(`CLOSE ${cursor}`);
  }

  copyIn(sql: string): CopyIn {
    const stream = this.#client.query(copyFrom(sql));
    // Kept, because a stream may fail between two writes, and an error that nobody takes ends the process.
    let failed: Error | undefined;
    stream.on('error', (error) => (failed ??= error));
    const settle = (begin: (done: (error?: Error | null) => void) => void): Promise<void> =>
      this.#guarded(async () => {
        if (failed !== undefined) throw failed;
        await new Promise<void>((resolve, reject) => {
          stream.once('error', reject);
          begin((error) => {
            stream.off('error', reject);
            if (error === undefined || error === null) resolve();
            else reject(error);
          });
        });
      });
    return {
      write: (lines) => settle((done) => stream.write(lines, done)),
      end: async () => {
        await settle((done) => stream.end(() => done()));
        return stream.rowCount;
      },
    };
  }

  async transaction<T>(work: () => Promise<T>, mode?: 'READ ONLY'): Promise<T> {
    await this.execute(mode === undefined ? 'BEGIN' : `BEGIN ISOLATION LEVEL REPEATABLE READ ${mode}`);
    try {
      const result = await work();
      await this.execute('COMMIT');
      return result;
    } catch (thrown) {
      // Of a connection that broke off nothing is left to undo, and the first failure says more.
      await this.execute('ROLLBACK').catch(() => undefined);
      throw thrown;
    }
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  #query(text: string, values: readonly Sent[]): Promise<pg.QueryArrayResult<(string | null)[]>> {
    const config = { text, values: [...values], rowMode: 'array', types: asText } as const;
    return this.#guarded(() => this.#client.query<(string | null)[]>(config));
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw postgresFailure(thrown, this.address);
    }
  }
}

const noPassword = ({ shown }: PostgresAddress): RelctlError =>
  new RelctlError('profile', `the PostgreSQL mirror ${shown} asks for a password, and there is none`, {
    facts: { url: shown },
    advice:
      'Give it by the variable PGPASSWORD, by the file that PGPASSFILE names (~/.pgpass), or for the mirror of a profile by ' +
      '`relctl profile edit NAME --mirror-password-stdin`.',
  });

/** Connects to a database. Throws `no-answer`, `profile` and `usage` (a PEM file), and the reason of the signal. */
export async function connectPostgres(address: PostgresAddress, options: ConnectOptions): Promise<Postgres> {
  const { host, port, user, database, connectSeconds } = address;
  // One that is never aborted, for this connection alone: it gets listeners.
  const { signal = new AbortController().signal } = options;
  signal.throwIfAborted();
  const client = new pg.Client({
    host,
    port,
    user,
    database,
    ssl: await tlsOptions(address, signal),
    password: async () => {
      const found = await options.password();
      if (found === undefined || found === '') throw noPassword(address);
      return found;
    },
    application_name: 'relctl',
    connectionTimeoutMillis: connectSeconds * 1000,
    // A server that is gone without a word is noticed in minutes, and not in the two hours that systems wait by themselves.
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
  });
  // A connection that breaks off fails the statement that runs, or the next one.
  client.on('error', () => undefined);
  const abort = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await client.connect();
    await client.query(settings);
    return new Connection(client, address);
  } catch (thrown) {
    await client.end().catch(() => undefined);
    signal.throwIfAborted();
    throw postgresFailure(thrown, address);
  }
}
