import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Postgres } from '../../postgres/connect.js';
import { StatementFailure } from '../../postgres/failure.js';
import { literal, quoted, shownOnce, type Names } from '../postgres/schema.js';
import { tableNamed } from '../tables.js';
import {
  bases,
  fieldsByType,
  most,
  namedFields,
  viewsOf,
  type Base,
  type FieldNames,
  type FieldView,
  type Making,
} from './plan.js';
import type { FieldColumn } from './titles.js';

/** What is kept of views: what they were made of, as a hash, and the views. */
interface Kept {
  readonly madeOf: string;
  readonly views: readonly FieldView[];
}

const keptAs = 'field_views';

/** The form of the statements below: views of another one are made anew. */
const form = 1;

/** PostgreSQL cuts a longer name without a word. */
const longestName = 63;

/** How long a view waits for those that read it. Who asks next waits behind it. */
const lockTimeout = '3s';

async function keptIn(postgres: Postgres, { own }: Names): Promise<Kept> {
  const row = await postgres.first(`SELECT value FROM ${own('_mirror')} WHERE name = $1`, [keptAs]);
  return typeof row?.[0] === 'string' ? (JSON.parse(row[0]) as Kept) : { madeOf: '', views: [] };
}

/** The views of a mirror that show fields as columns. Throws as a connection does. */
export const fieldViewsIn = async (postgres: Postgres, names: Names): Promise<readonly FieldView[]> =>
  (await keptIn(postgres, names)).views;

/** What the views depend on, as a hash: the syncs that changed rows, and the names. */
async function sourceOf(postgres: Postgres, { own }: Names, { fields, entityTypes }: FieldNames): Promise<string> {
  const tables = [...bases.map(({ table }) => table), 'workflow_fields'].map(literal).join(', ');
  const syncs = await postgres.rows(
    `SELECT s.id, (SELECT max(y.began_at) FROM ${own('_syncs')} y WHERE y.source = s.id) FROM ${own('_sources')} s WHERE s."table" IN (${tables}) ORDER BY s.id`,
  );
  const text = JSON.stringify([syncs, [...fields], [...entityTypes], bases]);
  return createHash('sha256').update(text).digest('base64');
}

/** Names of fields: those of the workflows that the mirror has, in the order of their forms, before those of the profile. */
async function fieldNamesIn(postgres: Postgres, { own }: Names, names: FieldNames): Promise<Making['fields']> {
  const rows = await postgres.rows(
    `SELECT "Id"::text, "Name" FROM ${own('workflow_fields')} WHERE "Id" IS NOT NULL AND "Name" <> '' ` +
      `ORDER BY "SortIndex" NULLS FIRST, "Id", "Name" COLLATE "C" LIMIT ${most.found}`,
  );
  return namedFields(
    rows.map(([id, name]) => [String(id), String(name)]),
    names,
  );
}

/** The fields that records have values of, by their entity type. */
async function fieldsIn(
  postgres: Postgres,
  { whole }: Names,
  { table, values, type }: Base,
): Promise<ReturnType<typeof fieldsByType>> {
  const rows = await postgres.rows(
    `SELECT DISTINCT lower(r.${quoted(type)}::text) AS t, i."Id"::text AS f FROM ${whole(values)} i ` +
      `JOIN ${whole(table)} r ON r._seq = i._owner WHERE r._gone_at IS NULL ORDER BY t, f LIMIT ${most.found}`,
  );
  return fieldsByType(rows.map(([typeId, fieldId]) => [typeId, fieldId]));
}

/** Names in the schema in small letters, but those of views that are made here. */
async function namesTaken(postgres: Postgres, { schema }: Names, views: readonly FieldView[]): Promise<Set<string>> {
  const rows = await postgres.rows(
    'SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1',
    [schema],
  );
  const own = new Set(views.map(({ name }) => name));
  return new Set(rows.flatMap(([name]) => (typeof name !== 'string' || own.has(name) ? [] : [name.toLowerCase()])));
}

/** Words that PostgreSQL makes of a name without quotes: only letters of ASCII become small. */
const asFolded = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

async function planned(postgres: Postgres, names: Names, given: { fields: FieldNames; before: readonly FieldView[] }) {
  const making: Making = {
    names: given.fields,
    fields: await fieldNamesIn(postgres, names, given.fields),
    taken: await namesTaken(postgres, names, given.before),
    mostBytes: longestName,
  };
  const made: (readonly [Base, FieldView])[] = [];
  for (const base of bases) {
    const views = viewsOf(base, await fieldsIn(postgres, names, base), making);
    made.push(...views.map((view) => [base, { ...view, name: asFolded(view.name) }] as const));
  }
  return made;
}

/** The statement that makes a view. Where a record has a field twice, its first value is shown. */
function createView({ own, whole }: Names, { values, type }: Base, view: FieldView): string {
  const { name, table, entityTypeId, first, columns } = view;
  return (
    `CREATE OR REPLACE VIEW ${own(name)} AS SELECT ` +
    [
      ...first.map((column) => `r.${quoted(column)} AS ${quoted(column)}`),
      ...columns.map(
        ({ title, id }) =>
          `(SELECT i."Value" FROM ${whole(values)} i WHERE i._owner = r._seq AND i."Id" = ${literal(id)}::uuid ORDER BY i._position LIMIT 1) AS ${quoted(title)}`,
      ),
    ].join(', ') +
    ` FROM ${whole(table)} r WHERE r._gone_at IS NULL AND lower(r.${quoted(type)}::text) = ${literal(entityTypeId)}`
  );
}

/** Comments that say what a view shows. */
function commentsOn({ own }: Names, { name, table, entityTypeId, columns }: FieldView): string {
  const of = ({ title, id }: FieldColumn): string =>
    `COMMENT ON COLUMN ${own(name)}.${quoted(title)} IS ${literal(`Value of the field ${id}.`)}`;
  const words = `The ${table} of the entity type ${entityTypeId}, a column a field.`;
  return [`COMMENT ON VIEW ${own(name)} IS ${literal(words)}`, ...columns.map(of)].join('; ');
}

/** Codes of PostgreSQL: another view needs this one; somebody reads it for longer than is waited. */
const inUse: ReadonlySet<string> = new Set(['2BP01', '55P03']);
/** The columns that are there would get other names or places. */
const otherColumns = '42P16';

/** Does work of the transaction that may fail by one of some codes; gives the code, after that work is undone. */
async function attempted(
  postgres: Postgres,
  codes: ReadonlySet<string>,
  work: () => Promise<void>,
): Promise<string | undefined> {
  await postgres.execute('SAVEPOINT before_view');
  try {
    await work();
    await postgres.execute('RELEASE SAVEPOINT before_view');
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof StatementFailure) || !codes.has(thrown.state)) throw thrown;
    await postgres.execute('ROLLBACK TO SAVEPOINT before_view; RELEASE SAVEPOINT before_view');
    return thrown.state;
  }
}

/** Who may read a view, beside its owner, as statements that grant it again. */
async function grantsOn(postgres: Postgres, { schema, own }: Names, name: string): Promise<string> {
  const rows = await postgres.rows(
    "SELECT CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_catalog.pg_get_userbyid(a.grantee)) END " +
      'FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace, ' +
      "pg_catalog.aclexplode(c.relacl) a WHERE n.nspname = $1 AND c.relname = $2 AND a.privilege_type = 'SELECT' AND a.grantee <> c.relowner",
    [schema, name],
  );
  return rows.map(([role]) => `GRANT SELECT ON ${own(name)} TO ${String(role)}`).join('; ');
}

const both: ReadonlySet<string> = new Set([...inUse, otherColumns]);

/** Makes a view, in place of one of the same name; gives false where that one has to stay as it is. */
async function made(postgres: Postgres, names: Names, [base, view]: readonly [Base, FieldView]): Promise<boolean> {
  const create = createView(names, base, view) + shownOnce(names, tableNamed(view.table));
  const comments = commentsOn(names, view);
  const failed = await attempted(postgres, both, () => postgres.execute(`${create}; ${comments}`));
  if (failed !== otherColumns) return failed === undefined;
  const grants = await grantsOn(postgres, names, view.name);
  const statements = [`DROP VIEW ${names.own(view.name)}`, create, comments, grants].filter((each) => each !== '');
  return (await attempted(postgres, inUse, () => postgres.execute(statements.join('; ')))) === undefined;
}

async function makeAll(
  postgres: Postgres,
  names: Names,
  { fields, before, madeOf }: { fields: FieldNames; before: Kept; madeOf: string },
): Promise<readonly string[]> {
  await postgres.execute(`SET LOCAL lock_timeout = '${lockTimeout}'`);
  const wanted = await planned(postgres, names, { fields, before: before.views });
  const isWanted = new Set(wanted.map(([, { name }]) => name));
  const there = new Map(before.views.map((view) => [view.name, view]));
  const views: FieldView[] = [];
  const stuck: string[] = [];
  const keepOld = (view: FieldView): void => {
    stuck.push(view.name);
    views.push(view);
  };
  for (const old of before.views.filter(({ name }) => !isWanted.has(name))) {
    const drop = (): Promise<void> => postgres.execute(`DROP VIEW IF EXISTS ${names.own(old.name)}`);
    if ((await attempted(postgres, inUse, drop)) !== undefined) keepOld(old);
  }
  for (const [base, view] of wanted) {
    const old = there.get(view.name);
    const isSame = isDeepStrictEqual(old, view) && before.madeOf.startsWith(`${form}:`);
    if (isSame || (await made(postgres, names, [base, view]))) views.push(view);
    else if (old !== undefined) keepOld(old);
  }
  // Tried again by the next sync.
  const kept: Kept = { madeOf: stuck.length > 0 ? `${form}:` : madeOf, views };
  await postgres.run(
    `INSERT INTO ${names.own('_mirror')} (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [keptAs, JSON.stringify(kept)],
  );
  return stuck;
}

/**
 * Makes the views with a column a field, one for each entity type whose records have field values and of whose fields any name
 * is known, when rows or names changed since they were made; those that cannot be made any more are dropped. Gives the names of
 * those that stay as they were, because a view of others needs them or somebody reads them. Throws as a connection does.
 */
export async function makeFieldViews(postgres: Postgres, names: Names, fields: FieldNames): Promise<readonly string[]> {
  const madeOf = `${form}:${await sourceOf(postgres, names, fields)}`;
  const before = await keptIn(postgres, names);
  if (before.madeOf === madeOf) return [];
  return postgres.transaction(() => makeAll(postgres, names, { fields, before, madeOf }));
}
