import type { Context } from '../../host/context.js';
import type { MirrorReader } from '../../mirror/reader.js';
import { readMirrorFile } from '../../mirror/sqlite/open.js';
import { sqliteReader } from '../../mirror/sqlite/reader.js';
import type { Service } from '../../mirror/store.js';
import type { Database } from '../../sqlite/open.js';
import { placeOfMirror, type PlaceFlags } from './place.js';

/**
 * Opens the mirror that flags name to read it until the command ends; undefined where there is none. Throws `profile` for the
 * mirror of another service, and `local`.
 * @param service the service that it must belong to, as far as it is known; undefined when any will do
 */
export function openTables(
  context: Context,
  flags: PlaceFlags,
  service: Partial<Service> | undefined,
): Database | undefined {
  const database = readMirrorFile({ ...placeOfMirror(context, flags), service });
  if (database !== undefined) context.onClose(() => database.close());
  return database;
}

/** The same with what its tables hold. */
export function openReader(
  context: Context,
  flags: PlaceFlags,
  service: Partial<Service> | undefined,
): MirrorReader | undefined {
  const database = openTables(context, flags, service);
  return database && sqliteReader(database);
}
