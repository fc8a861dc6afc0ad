import { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { readMirrorFile } from '../../mirror/sqlite/open.js';
import { sourcesIn } from '../../mirror/sqlite/source.js';
import type { SourceState } from '../../mirror/store.js';
import { isPostgresAddress } from '../../postgres/address.js';
import { placeOfMirror } from '../../syncs/place.js';
import type { SqlFlags } from './flags.js';

/** A mirror to ask. */
export interface AskedMirror {
  readonly file: string;
  /** What filled its tables, and when. */
  readonly sources: readonly SourceState[];
}

/** The address is not repeated: a password may stand in it. */
function refusePostgres({ to }: Pick<SqlFlags, 'to'>): void {
  if (to === undefined || !isPostgresAddress(to)) return;
  throw usage('--to', '--to takes the file of a mirror here, and no address of PostgreSQL', {
    advice: 'Ask that database with psql, or sync a mirror in a file.',
    hint: 'relctl sql --help',
  });
}

/**
 * The mirror that flags name. Throws `usage` for an address of PostgreSQL, `not-found` where there is none yet, `profile`, and `local` for a file that is no
 * mirror.
 */
export function askedMirror(context: Context, flags: Pick<SqlFlags, 'profile' | 'to'>): AskedMirror {
  refusePostgres(flags);
  const place = placeOfMirror(context, flags);
  const { file } = place;
  const mirror = readMirrorFile(place);
  if (mirror === undefined) {
    throw new RelctlError('not-found', `there is no mirror in ${file}`, {
      facts: { path: file, code: 'mirror' },
      hint: 'relctl mirror sync',
    });
  }
  try {
    return { file, sources: sourcesIn(mirror) };
  } finally {
    mirror.close();
  }
}
