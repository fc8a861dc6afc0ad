import { createHash } from 'node:crypto';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import type { Postgres } from '../postgres/connect.js';
import { identityNames, otherThan, serviceFrom, type Service } from '../open.js';
import { literal, allRows } from '../schema.js';
import type { Database } from '../../state/sqlite/open.js';
import type { SourceState } from '../sources.js';
import { BitSet, rangesOf, type Ranges } from '../../core/values/bit-set.js';
import type { MirrorTable } from '../tables.js';
import { visibleCondition } from './published-tables.js';

/** What was published of a source: the syncs of it that the mirror had. */
interface SourceMark {
  readonly id: number;
  readonly name: string;
  /** When the last sync that changed rows began; empty before the first. */
  readonly through: string;
  /** A hash of the syncs up to it: that of another mirror is another one. */
  readonly syncs: string;
}

/** What was published of a table of records, with the tables of its lists. */
export interface TableMark {
  readonly columns: string;
  readonly sources: readonly SourceMark[];
  readonly rows: Readonly<Record<string, number>>;
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64').slice(0, 22);

function syncsOf(database: Database, source: number): readonly (readonly [began: string, ended: string])[] {
  return database
    .statement('SELECT began_at, ended_at FROM "_syncs" WHERE source = ? ORDER BY began_at')
    .all(source)
    .map(([began, ended]) => [String(began), String(ended)]);
}

/** What is to be remembered of the sources of a table when it is published now. */
export function sourceMarks(database: Database, sources: readonly SourceState[]): readonly SourceMark[] {
  return sources.map(({ id, name }) => {
    const syncs = syncsOf(database, id);
    return { id, name, through: syncs.at(-1)?.[0] ?? '', syncs: hashOf(syncs) };
  });
}

/** A hash of the columns of tables. */
export const columnsMark = (
  tables: readonly { readonly name: string; readonly columns: readonly object[] }[],
): string => hashOf(tables.map(({ name, columns }) => [name, columns]));

/** True when nothing that is shown of a table can have changed since it was published. */
export function isSame(
  mark: TableMark,
  now: Pick<TableMark, 'columns' | 'sources'>,
  sources: readonly SourceState[],
): boolean {
  // What is asked for relation by relation is shown before the sync has ended.
  if (sources.some(({ unfinished }) => unfinished !== undefined)) return false;
  return mark.columns === now.columns && JSON.stringify(mark.sources) === JSON.stringify(now.sources);
}

/** When the last sync of a source began of which all was published; undefined where all is to be sent. */
function publishedThrough(database: Database, mark: TableMark, { id, name }: SourceState): string | undefined {
  const known = mark.sources.find((each) => each.id === id && each.name === name);
  if (known === undefined) return undefined;
  const syncs = syncsOf(database, id).filter(([began]) => began <= known.through);
  return hashOf(syncs) === known.syncs ? known.through : undefined;
}

/** What differs between a table of the mirror and what was published of it, by the numbers of its records. */
export interface TableDiff {
  readonly sent: Ranges;
  readonly gone: Ranges;
  readonly rows: number;
}

/**
 * Compares a table of the mirror with what was published of it. Throws `local`.
 * @param there numbers of the records that are published
 */
export function differenceOf(
  database: Database,
  table: MirrorTable,
  state: { readonly mark: TableMark; readonly sources: readonly SourceState[]; readonly there: Ranges },
): TableDiff {
  const { mark, sources, there } = state;
  const through = new Map(sources.map((source) => [source.id, publishedThrough(database, mark, source)]));
  const published = new BitSet();
  published.addAll(there);
  const [sent, current] = [new BitSet(), new BitSet()];
  const rows = database
    .statement(
      `SELECT r."_seq", r."_source", r."_changed_at" FROM "${allRows(table.name)}" r WHERE ${visibleCondition(table)}`,
    )
    .each();
  for (const [seq, source, changedAt] of rows) {
    current.add(Number(seq));
    const since = through.get(Number(source));
    if (since === undefined || String(changedAt) > since || !published.has(Number(seq))) sent.add(Number(seq));
  }
  return { sent: rangesOf(sent.without(new BitSet())), gone: rangesOf(published.without(current)), rows: current.size };
}

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
      advice: `Create another one in psql, and publish to it: ${made}`,
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
    advice: 'relctl changed nothing. Publish to an empty or a new schema: --schema NAME.',
  });
}

const objects =
  'SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 LIMIT 1';

async function makeSchema(postgres: Postgres, { schema, service }: TargetSchema): Promise<void> {
  if ((await postgres.first(objects, [schema])) !== undefined) {
    throw otherSchema(postgres, schema, 'has tables that relctl did not publish');
  }
  if ((await postgres.first('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])) === undefined) {
    await postgres.execute(`CREATE SCHEMA ${quoted(schema)}`);
  }
  const own = ownTable(schema);
  const words = `What relctl mirror publish wrote to this schema, and from which service.`;
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
  throw otherSchema(postgres, schema, `has the published data of another service: ${other.join('; ')}`);
}
