import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Context } from '../host/context.js';
import { readMirrorFile, type Service } from '../../mirror/open.js';
import type { Database } from '../../state/sqlite/open.js';
import { locateMirror, type MirrorLocation, type LocationFlags } from './place.js';

/** The error for a command that needs a mirror where there is none. */
export const noMirror = ({ file, sync }: MirrorLocation): RelctlError =>
  new RelctlError('not-found', `there is no mirror in ${file}`, {
    facts: { path: file, code: 'mirror' },
    hint: sync,
  });

/**
 * Opens the mirror that flags name to read it until the command ends; undefined where there is none. Throws `profile` for the
 * mirror of another service, and `local`.
 * @param service the service that it must belong to, as far as it is known; undefined when any will do
 */
export function findMirror(context: Context, flags: LocationFlags, service?: Partial<Service>): Database | undefined {
  const database = readMirrorFile({ ...locateMirror(context, flags), service });
  if (database !== undefined) context.onClose(() => database.close());
  return database;
}

/** The same. Throws `not-found` when there is none, `local` and `profile`. */
export function readMirror(context: Context, flags: LocationFlags): Database {
  const database = findMirror(context, flags);
  if (database === undefined) throw noMirror(locateMirror(context, flags));
  return database;
}
