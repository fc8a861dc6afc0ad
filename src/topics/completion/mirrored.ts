import { fileOfMirror, serviceOfMirror } from '../../cli/mirror/place.js';
import { profileOf } from '../../cli/session/session.js';
import type { Context } from '../../host/context.js';
import { isGuid } from '../../lexical/values/guid.js';
import { namesBegun, type NameHit } from '../../mirror/names/find.js';
import type { RecordKind } from '../../mirror/names/kinds.js';
import { readMirrorFile } from '../../mirror/open.js';
import { sourcesIn } from '../../mirror/sources.js';
import type { Source } from '../../mirror/sources.js';
import type { Database } from '../../sqlite/open.js';
import type { Offer } from './answer.js';

/** Names that are offered: more are no choice for anybody. */
const most = 50;

/** How long a Tab waits for a sync that is about to write, in milliseconds. */
const patienceMs = 30;

/** Which mirror a line is about. */
export interface LinePlace {
  readonly profile: string | undefined;
  readonly mirror: string | undefined;
}

/** What a look into the mirror of the profile in use gives; nothing without one. Throws `local` and `profile`. */
function inFile(context: Context, given: LinePlace, look: (database: Database) => readonly Offer[]): readonly Offer[] {
  const profile = profileOf(context, { profile: given.profile });
  const file =
    given.mirror === undefined ? fileOfMirror(context, profile.name) : context.environment.pathOf(given.mirror);
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

const nameOffers = (found: readonly NameHit[]): readonly Offer[] =>
  found.map(({ name, about }) => ({ word: name, about })).filter(canBeTyped);

const sourceOffers = (sources: readonly Source[]): readonly Offer[] =>
  sources.map(({ name, table }) => ({ word: name, about: table }));

/** The names of records of a kind in the mirror that a line is about and that begin as typed. Throws `local` and `profile`. */
export const recordNames = (
  context: Context,
  given: LinePlace,
  { kind, typed }: { readonly kind: RecordKind; readonly typed: string },
): readonly Offer[] =>
  inFile(context, given, (database) => nameOffers(namesBegun(database, kind, { text: typed, most })));

/** The same for the sources of the mirror, with the table of each. Throws the same. */
export const sourceNames = (context: Context, given: LinePlace): readonly Offer[] =>
  inFile(context, given, (database) => sourceOffers(sourcesIn(database)));
