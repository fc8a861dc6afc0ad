import { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { fieldViewsIn } from '../../mirror/fields/views.js';
import { readMirrorFile } from '../../mirror/sqlite/open.js';
import { sourcesIn } from '../../mirror/sqlite/source.js';
import { isPostgresAddress } from '../../postgres/address.js';
import { openReading } from '../../sql/reading.js';
import { placeOfMirror, type MirrorPlace } from '../../syncs/place.js';
import type { PostgresPlace } from '../../syncs/postgres.js';
import type { AskedMirror, OpenAnswer } from './asked.js';
import type { SqlFlags } from './flags.js';
import { fieldOfColumn } from './types.js';

type PlaceFlags = Pick<SqlFlags, 'profile' | 'to' | 'schema'>;

function holdingOf(place: MirrorPlace): Pick<AskedMirror, 'sources' | 'views'> {
  const { file } = place;
  const mirror = readMirrorFile(place);
  if (mirror === undefined) {
    throw new RelctlError('not-found', `there is no mirror in ${file}`, {
      facts: { path: file, code: 'mirror' },
      hint: 'relctl mirror sync',
    });
  }
  try {
    return { sources: sourcesIn(mirror), views: fieldViewsIn(mirror) };
  } finally {
    mirror.close();
  }
}

/**
 * The file of the mirror that flags name. Throws `usage` for an address of PostgreSQL, `not-found` where there is none yet,
 * `profile`, and `local` for a file that is no mirror.
 */
export function fileOfMirror(context: Context, flags: PlaceFlags): string {
  // The address is not repeated: a password may stand in it.
  if (flags.to !== undefined && isPostgresAddress(flags.to)) {
    throw usage('--print-file', 'a mirror in PostgreSQL has no file: give its address to psql', {
      hint: 'relctl sql --help',
    });
  }
  const place = placeOfMirror(context, flags);
  holdingOf(place);
  return place.file;
}

/**
 * The mirror that flags name: in a file, or at a place in PostgreSQL. Throws `not-found` where there is none yet, `profile`,
 * `usage`, `no-answer`, and `local` for a file or a schema that is no mirror.
 */
export async function askedMirror(
  context: Context,
  flags: PlaceFlags,
  postgres: PostgresPlace | undefined,
): Promise<AskedMirror> {
  if (postgres !== undefined) {
    const { openSchema } = await import('./schema.js');
    return { ...(await openSchema(context, postgres)), views: [] };
  }
  const place = placeOfMirror(context, flags);
  const open: OpenAnswer = async ({ statement: { path, text }, parameters }, signal) => ({
    ...(await openReading({ file: place.file, statement: { path, text }, parameters }, signal)),
    fieldOf: fieldOfColumn,
  });
  return { ...holdingOf(place), open };
}
