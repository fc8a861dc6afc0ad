import { syncOld } from '../../cli/mirror/age.js';
import { noMirror } from '../../cli/mirror/open.js';
import { placeOfMirror } from '../../cli/mirror/place.js';
import { RelctlError } from '../../errors/relctl-error.js';
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

/** The mirror that flags name. Throws `not-found` where there is none yet, `profile`, and `local` for a file that is no mirror. */
export function askedMirror(context: Context, flags: MirrorFlags): AskedMirror {
  const place = placeOfMirror(context, flags);
  const database = readMirrorFile(place);
  if (database === undefined) throw noMirror(place);
  try {
    return { file: place.file, sources: sourcesIn(database), views: fieldViewsIn(database) };
  } finally {
    database.close();
  }
}

const isMissing = ({ kind, facts }: RelctlError): boolean => kind === 'not-found' && facts.code === 'mirror';

/** The mirror; undefined where there is none yet. */
function mirrorThere(context: Context, flags: MirrorFlags): AskedMirror | undefined {
  try {
    return askedMirror(context, flags);
  } catch (thrown) {
    if (isMissing(RelctlError.from(thrown))) return undefined;
    throw thrown;
  }
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
  const there = mirrorThere(context, flags);
  const { profile, mirror, quiet, 'max-age': maxAgeMs } = flags;
  const { sources = [], views = [] } = there ?? {};
  const wanted = { sources, tables: tables({ sources, views }), mirror };
  const isSynced = await syncOld(context, { profile, quiet, 'max-age': maxAgeMs }, wanted);
  return there === undefined || isSynced ? askedMirror(context, flags) : there;
}
