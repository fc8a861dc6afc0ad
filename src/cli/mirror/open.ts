import type { Context } from '../../host/context.js';
import type { MirrorReader } from '../../mirror/reader.js';
import { readMirrorFile } from '../../mirror/sqlite/open.js';
import { sqliteReader } from '../../mirror/sqlite/reader.js';
import type { Service } from '../../mirror/store.js';
import { tableNamed } from '../../mirror/tables.js';
import type { Names } from '../../mirror/postgres/schema.js';
import type { Postgres } from '../../postgres/connect.js';
import type { Database } from '../../sqlite/open.js';
import { placeOfMirror, type PlaceFlags } from './place.js';
import { connectToMirror, postgresPlaceOf, type PostgresPlace } from './postgres.js';

/**
 * Opens the mirror at a place in PostgreSQL until the command ends; undefined where there is none. Throws as `openReader`
 * does.
 */
export async function openSchema(
  context: Context,
  place: PostgresPlace,
  service: Partial<Service> | undefined,
): Promise<{ readonly postgres: Postgres; readonly names: Names } | undefined> {
  // What PostgreSQL needs is loaded for those alone whose mirror is there.
  const { findMirrorSchema } = await import('../../mirror/postgres/open.js');
  const postgres = await connectToMirror(context, place);
  const names = await findMirrorSchema(postgres, { ...place, service });
  return names && { postgres, names };
}

function openFile(context: Context, flags: PlaceFlags, service: Partial<Service> | undefined): Database | undefined {
  const database = readMirrorFile({ ...placeOfMirror(context, flags), service });
  if (database !== undefined) context.onClose(() => database.close());
  return database;
}

/**
 * Opens the mirror that flags name, in a file or in PostgreSQL, to read it until the command ends; undefined where there is
 * none. Throws `profile` for the mirror of another service, `local`, `usage`, and `no-answer`.
 * @param service the service that it must belong to, as far as it is known; undefined when any will do
 */
export async function openReader(
  context: Context,
  flags: PlaceFlags,
  service: Partial<Service> | undefined,
): Promise<MirrorReader | undefined> {
  const place = postgresPlaceOf(context, flags);
  if (place !== undefined) {
    const { postgresReader } = await import('../../mirror/postgres/reading/reader.js');
    const found = await openSchema(context, place, service);
    return found && postgresReader(found.postgres, found.names);
  }
  const database = openFile(context, flags, service);
  return database && sqliteReader(database);
}

/**
 * Opens the same for commands that ask it in the SQL of SQLite: of a mirror in PostgreSQL they are given a temporary copy of
 * the tables that they read, `all` for each that something fills. Throws as `openReader` does.
 */
export async function openTables(
  context: Context,
  flags: PlaceFlags,
  { tables, service }: { readonly tables: readonly string[] | 'all'; readonly service?: Partial<Service> | undefined },
): Promise<Database | undefined> {
  const place = postgresPlaceOf(context, flags);
  if (place === undefined) return openFile(context, flags, service);
  const { copyMirror } = await import('../../mirror/postgres/reading/copy.js');
  const found = await openSchema(context, place, service);
  if (found === undefined) return undefined;
  const database = await copyMirror(found.postgres, found.names, {
    tables: tables === 'all' ? tables : tables.map(tableNamed),
  });
  context.onClose(() => database.close());
  await found.postgres.close();
  return database;
}
