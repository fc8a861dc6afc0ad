import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { passwordSources, type PostgresAddress } from './address.js';
import { postgresFailure } from './failure.js';
import type { ConnectionOptions } from 'node:tls';
import { unreadableInput } from '../../state/own-file.js';
import { readTextFile } from '../../state/input-file.js';
import { defined } from '../../core/values/value.js';

async function pem(file: string | undefined, signal: AbortSignal): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readTextFile(file, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    throw unreadableInput(file, thrown);
  }
}

/**
 * How TLS is made for an address; false where the address asks for none. Throws `usage` for a PEM file that cannot be read, and
 * the signal's reason.
 */
async function tlsOptions(address: PostgresAddress, signal: AbortSignal): Promise<ConnectionOptions | false> {
  if (address.tls === 'disable') return false;
  const { rootCertificate } = address;
  const ca = await pem(rootCertificate, signal);
  const cert = await pem(address.certificate, signal);
  const key = await pem(address.key, signal);
  return {
    ...defined({ ca, cert, key }),
    minVersion: 'TLSv1.2',
    // As with libpq, naming an authority means that the server is checked against it.
    rejectUnauthorized: address.tls !== 'require' || rootCertificate !== undefined,
    ...(address.tls === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
}

/** A value as it is sent: as text, whatever its type. */
export type Sent = string | number | boolean | null;

/** A row in the order of its columns, in the text of PostgreSQL: true is `t`, a number is its digits. */
export type TextRow = readonly (string | null)[];

const special = /[\\\n\r\t]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * A value in the text format of COPY; nil is `\N`. Throws RelctlError `local` for a text with NUL, which PostgreSQL cannot
 * keep: left out, the text would be another one.
 * @param column where the value goes, for the error
 */
export function copyValue(value: string | number | boolean | null, column: string): string {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  if (value.includes('\u0000')) {
    throw new RelctlError('local', `a value of ${column} has the character NUL, which PostgreSQL cannot store`, {
      facts: { path: column, code: 'nul' },
      advice: 'Publish to a folder.',
    });
  }
  return special.test(value) ? value.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? character) : value;
}

/** Rows on their way into a table. */
export interface CopyIn {
  /** Sends part of the rows, as lines of the text format of COPY; waits while the server is behind. */
  write(lines: string): Promise<void>;
  /** Says that all rows were sent, and gives how many the server took. */
  end(): Promise<number>;
}

/** The same everywhere, whatever the server, the database, the role or PGOPTIONS say. No limit of time is set but ours. */
const settings: Readonly<Record<string, string>> = {
  search_path: 'pg_catalog',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  transform_null_equals: 'off',
  array_nulls: 'on',
  client_min_messages: 'error',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  default_tablespace: '',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  // Of servers since 14, and since 17.
  idle_session_timeout: '0',
  transaction_timeout: '0',
  // A machine that is gone without a word keeps no lock for the two hours that systems wait by themselves.
  tcp_keepalives_idle: '60',
  tcp_keepalives_interval: '15',
  tcp_keepalives_count: '4',
};

/** Sets those that the server knows, and that are not so already: some only a superuser may set. */
const settle =
  'SELECT pg_catalog.set_config(s.name, w.value, false) FROM pg_catalog.json_each_text($1::pg_catalog.json) w (name, value) ' +
  'JOIN pg_catalog.pg_settings s ON pg_catalog.lower(s.name) OPERATOR(pg_catalog.=) pg_catalog.lower(w.name) ' +
  'WHERE s.setting OPERATOR(pg_catalog.<>) w.value';

const asText = { getTypeParser: () => (text: string) => text };

/** A connection. One statement at a time runs on it. Failures are those of `postgresFailure`. */
export class Postgres {
  readonly address: PostgresAddress;
  readonly #client: pg.Client;
  /** Why it broke off while no statement ran: the next one says no more than that it is gone. */
  #lost: Error | undefined;

  constructor(client: pg.Client, address: PostgresAddress) {
    this.#client = client;
    this.address = address;
    client.on('error', (error) => (this.#lost ??= error));
  }

  /** Runs one statement, with values for its `$1`, `$2`. */
  async rows(sql: string, values: readonly Sent[] = []): Promise<readonly TextRow[]> {
    return (await this.#query(sql, values)).rows;
  }

  async first(sql: string, values: readonly Sent[] = []): Promise<TextRow | undefined> {
    return (await this.rows(sql, values))[0];
  }

  /** Gives how many rows it changed. */
  async run(sql: string, values: readonly Sent[] = []): Promise<number> {
    return (await this.#query(sql, values)).rowCount ?? 0;
  }

  async execute(sql: string): Promise<void> {
    await this.#guarded(() => this.#client.query(sql));
  }

  /** Begins to put rows into a table: `COPY name (columns) FROM STDIN`. */
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

  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.execute('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
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

  /** Ends the connection; what is not committed is undone. Never fails. */
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
      throw postgresFailure(this.#lost ?? thrown, this.address);
    }
  }
}

const noPassword = ({ shown: display }: PostgresAddress): RelctlError =>
  new RelctlError('profile', `the database ${display} requires a password, and there is none`, {
    facts: { url: display },
    advice: `Give it ${passwordSources}.`,
  });

/**
 * Connects to a database. Throws `no-answer`, `profile` and `usage` (a PEM file), and the reason of the signal.
 * @param options `password` is called only when the server asks for one
 */
export async function connectPostgres(
  address: PostgresAddress,
  options: { readonly password: () => Promise<string | undefined> | string | undefined; readonly signal?: AbortSignal },
): Promise<Postgres> {
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
      const password = await options.password();
      if (password === undefined || password === '') throw noPassword(address);
      return password;
    },
    application_name: 'relctl',
    connectionTimeoutMillis: connectSeconds * 1000,
    // A server that is gone without a word is noticed in minutes, and not in the two hours that systems wait by themselves.
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
  });
  // A connection that breaks off fails the statement that runs, or the next one.
  const postgres = new Postgres(client, address);
  const abort = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await client.connect();
    await client.query(settle, [JSON.stringify(settings)]);
    return postgres;
  } catch (thrown) {
    await client.end().catch(() => undefined);
    signal.throwIfAborted();
    throw postgresFailure(thrown, address);
  }
}
