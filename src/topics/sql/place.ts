import { syncOld } from '../../cli/mirror/age.js';
import { noMirror } from '../../cli/mirror/open.js';
import { placeOfMirror, type MirrorPlace } from '../../cli/mirror/place.js';
import type { Context } from '../../host/context.js';
import { fieldViewsIn } from '../../mirror/fields/views.js';
import { readMirrorFile } from '../../mirror/open.js';
import { sourcesIn } from '../../mirror/sources.js';
import type { Holding } from './age.js';
import type { SqlFlags } from './flags.js';

/** A mirror to ask. */
export interface AskedMirror extends Holding {
  readonly file: string;
}

type MirrorFlags = Pick<SqlFlags, 'profile' | 'mirror'>;

/** The mirror that flags name; undefined where there is none yet. Throws `profile`, and `local` for a file that is no mirror. */
function mirrorThere(place: MirrorPlace): AskedMirror | undefined {
  const database = readMirrorFile(place);
  if (database === undefined) return undefined;
  try {
    return { file: place.file, sources: sourcesIn(database), views: fieldViewsIn(database) };
  } finally {
    database.close();
  }
}

/** The same. Throws `not-found` as well where there is none yet. */
export function askedMirror(context: Context, flags: MirrorFlags): AskedMirror {
  const place = placeOfMirror(context, flags);
  const there = mirrorThere(place);
  if (there === undefined) throw noMirror(place);
  return there;
}

/**
 * The same, after a sync of what is asked for and older than --max-age. Throws what a sync throws as well.
 * @param tables gives those that are asked for, of a mirror that has these
 */
export async function freshMirror(
  context: Context,
  flags: MirrorFlags & Pick<SqlFlags, 'max-age' | 'quiet'>,
  tables: (holding: Holding) => readonly string[],
): Promise<AskedMirror> {
  if (flags['max-age'] === undefined) return askedMirror(context, flags);
  const there = mirrorThere(placeOfMirror(context, flags));
  const { profile, mirror, quiet, 'max-age': maxAgeMs } = flags;
  const { sources = [], views = [] } = there ?? {};
  const wanted = { sources, tables: tables({ sources, views }), mirror };
  const isSynced = await syncOld(context, { profile, quiet, 'max-age': maxAgeMs }, wanted);
  return there === undefined || isSynced ? askedMirror(context, flags) : there;
}
