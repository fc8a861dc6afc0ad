import { syncOld } from '../../cli/mirror/age.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { fieldViewsIn } from '../../mirror/fields/sqlite.js';
import { readMirrorFile } from '../../mirror/sqlite/open.js';
import { sourcesIn } from '../../mirror/sqlite/schema/source.js';
import { openReading } from '../../sql/reading.js';
import { placeOfMirror, type MirrorPlace } from '../../cli/mirror/place.js';
import type { AskedMirror, OpenAnswer } from './asked.js';
import type { SqlFlags } from './flags.js';
import type { Holding } from './age.js';
import { fieldOfColumn } from './types.js';

type PlaceFlags = Pick<SqlFlags, 'profile' | 'mirror'>;

type FreshFlags = PlaceFlags & Pick<SqlFlags, 'max-age' | 'quiet'>;

function holdingOf(place: MirrorPlace): Pick<AskedMirror, 'sources' | 'views'> {
  const { file, sync } = place;
  const mirror = readMirrorFile(place);
  if (mirror === undefined) {
    throw new RelctlError('not-found', `there is no mirror in ${file}`, {
      facts: { path: file, code: 'mirror' },
      hint: sync,
    });
  }
  try {
    return { sources: sourcesIn(mirror), views: fieldViewsIn(mirror) };
  } finally {
    mirror.close();
  }
}

/** The file of the mirror that flags name. Throws `not-found` where there is none yet, `profile`, and `local` for a file that is no mirror. */
export function fileOfMirror(context: Context, flags: PlaceFlags): string {
  const place = placeOfMirror(context, flags);
  holdingOf(place);
  return place.file;
}

/** The mirror that flags name. Throws `not-found` where there is none yet, `profile`, and `local` for a file that is no mirror. */
export function askedMirror(context: Context, flags: PlaceFlags): AskedMirror {
  const place = placeOfMirror(context, flags);
  const holding = holdingOf(place);
  const fieldOf = fieldOfColumn(holding.sources);
  const open: OpenAnswer = async ({ statement: { path, text }, parameters }, signal) => ({
    ...(await openReading({ file: place.file, statement: { path, text }, parameters }, signal)),
    fieldOf,
  });
  return { ...holding, open };
}

const isMissing = ({ kind, facts }: RelctlError): boolean => kind === 'not-found' && facts.code === 'mirror';

/** The mirror; undefined where there is none yet. */
function mirrorThere(context: Context, flags: PlaceFlags): AskedMirror | undefined {
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
  flags: FreshFlags,
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
