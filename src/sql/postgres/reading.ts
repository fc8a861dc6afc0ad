import { Readable } from 'node:stream';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Postgres, Result, ResultColumn, TextRow } from '../../postgres/connect.js';
import type { Answer } from '../../sqlite/question.js';
import type { Parameters } from '../parameters.js';
import type { FieldOf } from '../records.js';
import type { Reading } from '../reading.js';
import type { Statement } from '../statement.js';
import { mistakeOf, type Asked } from './mistakes.js';
import { numberedText } from './text.js';
import { answerOf, fieldOfType } from './values.js';

/** What is asked of a schema. */
export interface PostgresOrder {
  readonly schema: string;
  readonly statement: Statement;
  readonly parameters: Parameters;
  /** Longest time of a step of the query at the server, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** Behind this the server ends a step by itself, where ours ends before. */
const afterOurs = 1000;

/** A superuser, also one that the user may become by a setting, calls functions that write files. */
async function refuseSuperuser(postgres: Postgres, schema: string): Promise<void> {
  const { shown } = postgres.address;
  const sql =
    'SELECT 1 FROM pg_catalog.pg_roles WHERE rolsuper AND pg_catalog.pg_has_role(session_user, oid, $1) LIMIT 1';
  if ((await postgres.first(sql, ['MEMBER'])) === undefined) return;
  throw new RelctlError(
    'profile',
    `the user of ${shown} is a superuser: sql only reads, and a superuser has functions that write files of the server`,
    {
      facts: { url: shown, code: 'superuser' },
      advice:
        "Ask as a user that only reads: CREATE ROLE reader LOGIN PASSWORD '...'; " +
        `GRANT USAGE ON SCHEMA ${schema} TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO reader.`,
    },
  );
}

/** Lets the server end the query of a client that is gone. Older servers and other systems cannot. */
const watchClient = (postgres: Postgres): Promise<void> =>
  postgres.execute('SET client_connection_check_interval = 1000').catch(() => undefined);

/** A snapshot in which nothing can be written; it lasts as long as the connection. */
async function beginReading(postgres: Postgres, { schema, timeoutMs }: PostgresOrder): Promise<void> {
  await refuseSuperuser(postgres, schema);
  await watchClient(postgres);
  const limit = timeoutMs === undefined ? 0 : timeoutMs + afterOurs;
  await postgres.execute('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await postgres.execute(
    `SET LOCAL search_path = "${schema}"; SET LOCAL statement_timeout = ${limit}; SET LOCAL cursor_tuple_fraction = 1`,
  );
  // Behind the first snapshot the transaction cannot be made to write, by no statement.
  await postgres.first('SELECT 1');
}

/** The lines of EXPLAIN come at once: no cursor can be had for it. */
async function planOf(postgres: Postgres, { text }: Asked): Promise<Result> {
  const lines = await postgres.rows(text.sql, text.values);
  return { columns: [{ name: 'QUERY PLAN', type: 25 }], rows: Readable.from(lines) };
}

const resultOf = (postgres: Postgres, asked: Asked): Promise<Result> =>
  asked.statement.isPlan ? planOf(postgres, asked) : postgres.ask(asked.text.sql, asked.text.values);

/** Rows that are given at once. */
const batchRows = 500;

async function* batched(rows: AsyncIterable<TextRow>, columns: readonly ResultColumn[]) {
  let batch: (readonly Answer[])[] = [];
  for await (const row of rows) {
    batch.push(columns.map(({ type }, at) => answerOf(row[at] ?? null, type)));
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** An answer of PostgreSQL, with what its columns hold. */
export interface PostgresReading extends Reading {
  readonly fieldOf: FieldOf;
}

/**
 * Asks a schema, in a transaction that only reads. Throws `usage` for a statement that is wrong or would write, `profile` for a
 * superuser and for rights that are missing, `no-answer`, `local`, and the reason of the signal, which ends the connection.
 */
export async function openPostgresReading(
  postgres: Postgres,
  order: PostgresOrder,
  signal: AbortSignal,
): Promise<PostgresReading> {
  const { schema, statement } = order;
  const asked: Asked = { schema, statement, text: numberedText(statement, order.parameters) };
  const close = (): void => void postgres.close();
  const failed = async (thrown: unknown): Promise<unknown> => {
    signal.throwIfAborted();
    return mistakeOf(postgres, asked, thrown);
  };
  signal.addEventListener('abort', close, { once: true });
  async function* rowsOf({ rows, columns }: Result): AsyncGenerator<readonly (readonly Answer[])[]> {
    try {
      yield* batched(rows, columns);
    } catch (thrown) {
      throw await failed(thrown);
    } finally {
      close();
    }
  }
  try {
    await beginReading(postgres, order);
    const result = await resultOf(postgres, asked);
    const fields = new Map(result.columns.map(({ name, type }) => [name, fieldOfType(type)]));
    const columns = result.columns.map(({ name }) => ({ name, table: null, column: null }));
    return { columns, rows: rowsOf(result), close, fieldOf: ({ name }) => fields.get(name) };
  } catch (thrown) {
    const error = await failed(thrown);
    close();
    throw error;
  }
}
