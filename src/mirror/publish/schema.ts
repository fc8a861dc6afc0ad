import { createHash } from 'node:crypto';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import type { Postgres } from '../postgres/connect.js';
import { identityNames, otherThan, serviceFrom, type Service } from '../open.js';
import { literal } from '../schema.js';
import type { TableMark } from './marks.js';

/** Version of what is published: tables of another one are published whole. */
const format = '1';

/** A name as it stands in a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The names of columns as they stand in a statement. */
export const listed = (names: readonly string[]): string => names.map(quoted).join(', ');

/** A schema of a database that is published into. */
export interface TargetSchema {
  readonly schema: string;
  readonly service: Service;
  /** How long another publish to it is waited for, in milliseconds. */
  readonly lockMs: number;
}

/** The table by which a schema is known as relctl's own. */
const ownTable = (schema: string): string => `${quoted(schema)}."_relctl"`;

/** Throws `usage` for a database that is not in UTF-8: it would change texts, or refuse them. */
async function checkEncoding(postgres: Postgres): Promise<void> {
  const { address } = postgres;
  const [encoding = null] = (await postgres.first('SHOW server_encoding')) ?? [];
  if (encoding === 'UTF8') return;
  const made = `CREATE DATABASE ${quoted(`${address.database}_utf8`)} ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`;
  throw usage(
    'TARGET',
    `the database ${address.shown} is in ${encoding ?? 'no encoding'}, and texts of a service need UTF8`,
    {
      advice: `Let another one be made in psql, and publish there: ${made}`,
    },
  );
}

/** The number of the lock of a schema, so that no other program takes the same. */
const lockKey = (schema: string): string =>
  createHash('sha256').update(`relctl publish ${schema}`).digest().readBigInt64BE(0).toString();

async function lock(postgres: Postgres, { schema, lockMs }: TargetSchema): Promise<void> {
  await postgres.execute(`SET LOCAL lock_timeout = ${Math.max(1, lockMs)}`);
  try {
    await postgres.execute(`SELECT pg_advisory_xact_lock(${lockKey(schema)})`);
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    if (error.kind !== 'locked') throw error;
    throw error.but({ message: `another run publishes to the schema ${schema} of ${postgres.address.shown}` });
  }
  await postgres.execute('SET LOCAL lock_timeout = 0');
}

function otherSchema(postgres: Postgres, schema: string, what: string): RelctlError {
  return usage('TARGET', `the schema ${schema} of ${postgres.address.shown} ${what}`, {
    advice: 'Nothing was changed. Publish to a schema that is empty, or one that is not there yet: --schema NAME.',
  });
}

const objects =
  'SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 LIMIT 1';

async function makeSchema(postgres: Postgres, { schema, service }: TargetSchema): Promise<void> {
  if ((await postgres.first(objects, [schema])) !== undefined) {
    throw otherSchema(postgres, schema, 'holds tables that relctl did not publish');
  }
  if ((await postgres.first('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])) === undefined) {
    await postgres.execute(`CREATE SCHEMA ${quoted(schema)}`);
  }
  const own = ownTable(schema);
  const words = `What relctl mirror publish put into this schema, and of which service.`;
  await postgres.execute(
    `CREATE TABLE ${own} (name text PRIMARY KEY, value text NOT NULL); COMMENT ON TABLE ${own} IS ${literal(words)}`,
  );
  for (const name of identityNames) await putValue(postgres, schema, [name, service[name]]);
}

async function putValue(
  postgres: Postgres,
  schema: string,
  pair: readonly [name: string, value: string],
): Promise<void> {
  await postgres.run(
    `INSERT INTO ${ownTable(schema)} (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    pair,
  );
}

const markName = (table: string): string => `table ${table}`;

/** Remembers what was published of a table. */
export const putMark = (
  postgres: Postgres,
  schema: string,
  [table, mark]: readonly [string, TableMark],
): Promise<void> => putValue(postgres, schema, [markName(table), JSON.stringify({ format, ...mark })]);

/** What was published, by the tables; of what another version published, the tables alone. */
function marksIn(values: ReadonlyMap<string, string>): ReadonlyMap<string, TableMark> {
  const marks = [...values].filter(([name]) => name.startsWith(markName('')));
  return new Map(
    marks.map(([name, text]) => {
      const { format: written, ...mark } = JSON.parse(text) as TableMark & { readonly format: string };
      return [name.slice(markName('').length), written === format ? mark : { ...mark, columns: '', sources: [] }];
    }),
  );
}

/**
 * Locks a schema until the transaction ends, makes it where there is none, and gives what was published in it, by the tables.
 * Throws `usage` for a database that is not in UTF-8 and for a schema that is neither empty nor of this service, `locked`, and
 * as a connection does.
 */
export async function openSchema(postgres: Postgres, target: TargetSchema): Promise<ReadonlyMap<string, TableMark>> {
  const { schema } = target;
  await checkEncoding(postgres);
  await lock(postgres, target);
  const known =
    'SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2';
  if ((await postgres.first(known, [schema, '_relctl'])) === undefined) await makeSchema(postgres, target);
  const rows = await postgres.rows(`SELECT name, value FROM ${ownTable(schema)}`);
  const values = new Map(rows.map(([name, value]) => [name ?? '', value ?? '']));
  const other = otherThan(target.service, serviceFrom(rows));
  if (other.length === 0) return marksIn(values);
  throw otherSchema(postgres, schema, `holds what was published of another service: ${other.join('; ')}`);
}
