import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { readMirrorFile } from '../../mirror/sqlite/open.js';
import type { MirrorReader } from '../../mirror/reader.js';
import type { Database } from '../../sqlite/open.js';
import { sqliteReader } from '../../mirror/sqlite/reader.js';
import { placeOfMirror, type MirrorPlace, type PlaceFlags } from '../../cli/mirror/place.js';

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

/** The same by what it holds. */
export const readerToRead = (context: Context, flags: PlaceFlags): MirrorReader =>
  sqliteReader(openToRead(context, placeOfMirror(context, flags)));
