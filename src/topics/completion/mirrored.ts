import { postgresPlaceOf, type PostgresPlace } from '../../cli/mirror/postgres.js';
import { mirrorFile } from '../../cli/names/mirror-file.js';
import { serviceOfMirror } from '../../cli/names/open-mirror.js';
import { profileOf } from '../../cli/session/session.js';
import type { Context } from '../../host/context.js';
import { isGuid } from '../../lexical/values/guid.js';
import { namesBegun, type BegunName } from '../../mirror/names/begin.js';
import type { RecordKind } from '../../mirror/names/kinds.js';
import { readMirrorFile } from '../../mirror/sqlite/open.js';
import { sourcesIn } from '../../mirror/sqlite/schema/source.js';
import type { Source } from '../../mirror/store.js';
import type { Database } from '../../sqlite/open.js';
import type { Offer } from './answer.js';
import type { Look } from './mirrored-postgres.js';

/** Names that are offered: more are no choice for anybody. */
const most = 50;

/** How long a Tab waits for a sync that is about to write, in milliseconds. */
const patienceMs = 30;

/** Which mirror a line is about. */
export interface LinePlace {
  readonly profile: string | undefined;
  readonly to: string | undefined;
  readonly schema: string | undefined;
}

/** What a look into the mirror of the profile in use gives; nothing without one. Throws `local` and `profile`. */
function inFile(context: Context, given: LinePlace, look: (database: Database) => readonly Offer[]): readonly Offer[] {
  const profile = profileOf(context, { profile: given.profile });
  const file = given.to === undefined ? mirrorFile(context, profile.name) : context.environment.pathOf(given.to);
  const database = readMirrorFile({ file, service: serviceOfMirror(profile), forget: '' });
  if (database === undefined) return [];
  try {
    database.execute(`PRAGMA busy_timeout = ${patienceMs};`);
    return look(database);
  } finally {
    database.close();
  }
}

/** True for a name that can be typed as an argument and means no Id. */
const canBeTyped = ({ word }: Offer): boolean => word.trim() === word && !word.startsWith('-') && !isGuid(word);

const nameOffers = (found: readonly BegunName[]): readonly Offer[] =>
  found.map(({ name, about }) => ({ word: name, about })).filter(canBeTyped);

const sourceOffers = (sources: readonly Source[]): readonly Offer[] =>
  sources.map(({ name, table }) => ({ word: name, about: table }));

/** What a look into a mirror in PostgreSQL gives. */
async function inSchema(
  context: Context,
  { place, given }: { readonly place: PostgresPlace; readonly given: LinePlace },
  look: Look,
): Promise<readonly Offer[]> {
  const { lookInSchema } = await import('./mirrored-postgres.js');
  return lookInSchema(
    context,
    { place, service: serviceOfMirror(profileOf(context, { profile: given.profile })) },
    look,
  );
}

/**
 * The names of records of a kind in the mirror that a line is about and that begin as typed. Throws `local`, `profile`, and of
 * a server `no-answer` when it takes longer than somebody waits.
 */
export async function recordNames(
  context: Context,
  given: LinePlace,
  { kind, typed }: { readonly kind: RecordKind; readonly typed: string },
): Promise<readonly Offer[]> {
  const wanted = { kind, text: typed, most };
  const place = postgresPlaceOf(context, given);
  if (place !== undefined) {
    return inSchema(context, { place, given }, async (reader) => nameOffers(await reader.names(wanted)));
  }
  return inFile(context, given, (database) => nameOffers(namesBegun(database, kind, wanted)));
}

/** The same for the sources of the mirror, with the table of each. Throws the same. */
export async function sourceNames(context: Context, given: LinePlace): Promise<readonly Offer[]> {
  const place = postgresPlaceOf(context, given);
  if (place !== undefined) {
    return inSchema(context, { place, given }, async (reader) => sourceOffers(await reader.sources()));
  }
  return inFile(context, given, (database) => sourceOffers(sourcesIn(database)));
}
