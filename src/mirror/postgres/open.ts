import { RelctlError } from '../../errors/relctl-error.js';
import type { Postgres } from '../../postgres/connect.js';
import { usualSchema } from '../../postgres/schema-name.js';
import { makeSearch } from '../search/postgres/index-rows.js';
import type { Service } from '../store.js';
import { mirrorTables } from '../tables.js';
import { createAsked, createMirror, formatVersion, namesIn, quoted, type Names } from './schema.js';

/** A schema with a mirror, in the database of a connection. */
export interface MirrorSchema {
  readonly schema: string;
  /** The service that it must belong to; undefined when any will do. */
  readonly service?: Partial<Service> | undefined;
  /** The command that removes it, for an error. */
  readonly forget: string;
}

const isThere = async (postgres: Postgres, sql: string, schema: string): Promise<boolean> =>
  (await postgres.first(sql, [schema])) !== undefined;

const tableThere = (name: string): string =>
  `SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = '${name}'`;
const ownTable = tableThere('_mirror');
const inSchema =
  'FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1';
const anything = `SELECT 1 ${inSchema}`;
const ownSchema = 'SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1';

const placeOf = ({ address }: Postgres, schema: string): string =>
  schema === usualSchema ? address.shown : `${address.shown} (schema ${schema})`;

function foreign(postgres: Postgres, schema: string): RelctlError {
  return new RelctlError(
    'local',
    `the schema ${schema} of ${postgres.address.shown} holds tables, and no mirror of relctl`,
    {
      facts: { url: postgres.address.shown, code: 'foreign' },
      advice: 'Name another schema with --schema.',
    },
  );
}

async function create(postgres: Postgres, names: Names, service: Service): Promise<void> {
  const { schema, own } = names;
  if (await isThere(postgres, anything, schema)) throw foreign(postgres, schema);
  if (!(await isThere(postgres, ownSchema, schema))) {
    const words = 'A mirror that relctl made and writes. To remove it: relctl mirror forget';
    await postgres.execute(`CREATE SCHEMA ${quoted(schema)}; COMMENT ON SCHEMA ${quoted(schema)} IS '${words}'`);
  }
  await postgres.execute(createMirror(names));
  const values = { format: String(formatVersion), ...service };
  for (const [name, value] of Object.entries(values)) {
    await postgres.run(`INSERT INTO ${own('_mirror')} (name, value) VALUES ($1, $2)`, [name, value]);
  }
}

const identityNames = ['url', 'namespace', 'database'] as const;

async function valuesIn(postgres: Postgres, { own }: Names): Promise<ReadonlyMap<string, string>> {
  const rows = await postgres.rows(`SELECT name, value FROM ${own('_mirror')}`);
  return new Map(rows.map(([name, value]) => [name ?? '', value ?? '']));
}

/** A mirror of a format that this version does not read; an older one has no way into this one but a new sync. */
function otherFormat(
  postgres: Postgres,
  place: string,
  { format, forget }: { format: string; forget: string },
): RelctlError {
  const isNewer = Number(format) > formatVersion;
  const advice = `${isNewer ? 'Use the newer relctl, or remove' : 'Remove'} the mirror and fill it again.`;
  return new RelctlError(
    'local',
    `the mirror ${place} has format ${format}, ${isNewer ? 'of a newer' : 'of an older'} relctl; this one reads format ${formatVersion}`,
    { facts: { url: postgres.address.shown, code: 'format' }, advice, hint: forget },
  );
}

/** Throws `local` for a mirror of another version of relctl, and `profile` for one of another service. */
async function check(postgres: Postgres, names: Names, { service, forget }: MirrorSchema): Promise<void> {
  const values = await valuesIn(postgres, names);
  const place = placeOf(postgres, names.schema);
  const format = values.get('format') ?? 'none';
  if (format !== String(formatVersion)) throw otherFormat(postgres, place, { format, forget });
  await checkTables(postgres, names, forget);
  if (service === undefined) return;
  const other = identityNames.filter(
    (name) => service[name] !== undefined && (values.get(name) ?? '') !== service[name],
  );
  if (other.length === 0) return;
  const shown = (text: string | undefined): string => (text === undefined || text === '' ? 'none' : text);
  const words = other.map((name) => `${name} ${shown(values.get(name))}, not ${shown(service[name])}`);
  throw new RelctlError('profile', `the mirror ${place} belongs to another service: ${words.join('; ')}`, {
    facts: { url: postgres.address.shown, code: 'mirror' },
    advice: 'Remove it, or keep it and give the new one a schema of its own by --schema.',
    hint: forget,
  });
}

/** Throws `local` for a mirror that lacks a table or a view of those that this version makes: an earlier one made it. */
async function checkTables(postgres: Postgres, { schema }: Names, forget: string): Promise<void> {
  const rows = await postgres.rows(`SELECT c.relname ${inSchema}`, [schema]);
  const there = new Set(rows.map(([name]) => name));
  const names = [...mirrorTables.values()].flatMap(({ name, lists }) => [name, ...lists.map((list) => list.name)]);
  const missing = names.flatMap((name) => [name, `all_${name}`, `_stage_${name}`]).find((name) => !there.has(name));
  if (missing === undefined) return;
  throw new RelctlError(
    'local',
    `the mirror ${placeOf(postgres, schema)} has no ${missing}, which this version of relctl makes`,
    {
      facts: { url: postgres.address.shown, code: 'format' },
      advice: 'Use the relctl that made it, or remove the mirror and fill it again.',
      hint: forget,
    },
  );
}

/** The service that a mirror belongs to. */
export async function serviceIn(postgres: Postgres, schema: string): Promise<Service> {
  const values = await valuesIn(postgres, namesIn(schema));
  const text = (name: string): string => values.get(name) ?? '';
  return { url: text('url'), namespace: text('namespace'), database: text('database') };
}

/**
 * Makes an empty mirror where there is none, and checks one that is there. Throws `local` for a schema that is no mirror, or
 * one of another version, and `profile` when it belongs to another service.
 */
export async function makeMirrorSchema(
  postgres: Postgres,
  given: MirrorSchema & { readonly service: Service },
): Promise<Names> {
  const names = namesIn(given.schema);
  await postgres.transaction(async () => {
    if (!(await isThere(postgres, ownTable, given.schema))) await create(postgres, names, given.service);
    await check(postgres, names, given);
    if (!(await isThere(postgres, tableThere('_asked'), given.schema))) await postgres.execute(createAsked(names));
    await makeSearch(postgres, names);
  });
  return names;
}

/** The names of a mirror to read; undefined where there is none. Throws as `makeMirrorSchema` does. */
export async function findMirrorSchema(postgres: Postgres, given: MirrorSchema): Promise<Names | undefined> {
  const names = namesIn(given.schema);
  if (!(await isThere(postgres, ownTable, given.schema))) return undefined;
  await check(postgres, names, given);
  return names;
}

/** Removes a mirror with its schema; gives whether there was one. Throws `local` for a schema that is none. */
export async function removeMirrorSchema(postgres: Postgres, schema: string): Promise<boolean> {
  if (!(await isThere(postgres, ownTable, schema))) {
    if (await isThere(postgres, anything, schema)) throw foreign(postgres, schema);
    return false;
  }
  await postgres.execute(`DROP SCHEMA ${quoted(schema)} CASCADE`);
  return true;
}
