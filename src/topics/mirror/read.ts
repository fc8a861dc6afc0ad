import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { readMirrorFile } from '../../mirror/sqlite/open.js';
import type { MirrorReader } from '../../mirror/reader.js';
import type { Database } from '../../sqlite/open.js';
import { openReader, openTables } from '../../cli/mirror/open.js';
import { placeOfMirror, type MirrorPlace, type PlaceFlags } from '../../cli/mirror/place.js';
import { postgresPlaceOf } from '../../cli/mirror/postgres.js';

/** The error for a command that needs a mirror where there is none. */
export const noMirror = ({ file, sync }: MirrorPlace): RelctlError =>
  new RelctlError('not-found', `there is no mirror in ${file}`, {
    facts: { path: file, code: 'mirror' },
    hint: sync,
  });

/** Opens the mirror to read it, until the command ends. Throws `not-found` when there is none, `local` and `profile`. */
export function openToRead(context: Context, place: MirrorPlace): Database {
  const database = readMirrorFile(place);
  if (database === undefined) throw noMirror(place);
  context.onClose(() => database.close());
  return database;
}

/** The error for a command that needs a mirror where the flags name none, in a file or in PostgreSQL. */
function noneNamed(context: Context, flags: PlaceFlags): RelctlError {
  const { shown, sync } = postgresPlaceOf(context, flags) ?? {};
  if (shown === undefined) return noMirror(placeOfMirror(context, flags));
  return new RelctlError('not-found', `there is no mirror in ${shown}`, { facts: { code: 'mirror' }, hint: sync });
}

/**
 * Opens the mirror that flags name, in a file or in PostgreSQL, to read it until the command ends. Throws `not-found` when
 * there is none, `local`, `profile` and `no-answer`.
 */
export async function readerToRead(context: Context, flags: PlaceFlags): Promise<MirrorReader> {
  const reader = await openReader(context, flags, undefined);
  if (reader === undefined) throw noneNamed(context, flags);
  return reader;
}

/** Opens some tables of it, in the SQL of SQLite. Throws the same. */
export async function openTablesToRead(
  context: Context,
  flags: PlaceFlags,
  tables: readonly string[] | 'all',
): Promise<Database> {
  const database = await openTables(context, flags, { tables });
  if (database === undefined) throw noneNamed(context, flags);
  return database;
}
