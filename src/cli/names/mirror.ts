import type { Context } from '../../host/context.js';
import { ageText } from '../../lexical/time/age.js';
import { tablesOf, type RecordKind } from '../../mirror/names/kinds.js';
import { readMirrorFile } from '../../mirror/open.js';
import { sourcesIn } from '../../mirror/sources.js';
import type { Database } from '../../sqlite/open.js';
import { ageOf, oldestSync, syncOld, type AgeFlags } from '../mirror/age.js';
import { placeOfMirror, serviceOfMirror } from '../mirror/place.js';
import type { Session } from '../session/session.js';
import { profileOf } from '../session/profile-store.js';

/** What a command was given that decides which mirror it looks into. */
export interface LookUpPlace {
  readonly context: Context;
  /** The session, once it is open. */
  readonly session?: Session;
  readonly flags: AgeFlags;
}

/** A mirror that names are looked up in, all of them in one state of it. */
export interface NameMirror {
  readonly database: Database;
  /** How old the oldest of some tables is, in words: `synced 3 hours ago`; undefined when none was ever synced. */
  readonly ageOf: (tables: readonly string[]) => string | undefined;
}

/**
 * The mirror of the profile in use, until the command ends, after a sync of these tables when they are older than --max-age;
 * undefined when there is none. Throws `local` for a file that is no mirror, `profile` for the mirror of another service, and
 * what the sync throws.
 */
export async function openNameMirror(place: LookUpPlace, tables: readonly string[]): Promise<NameMirror | undefined> {
  const { context, flags } = place;
  const profile = place.session?.profile ?? profileOf(context, flags);
  const given = { ...placeOfMirror(context, { profile: profile.name }), service: serviceOfMirror(profile) };
  let database = readMirrorFile(given);
  if (await syncOld(context, flags, { sources: database === undefined ? [] : sourcesIn(database), tables })) {
    database?.close();
    database = readMirrorFile(given);
  }
  if (database === undefined) return undefined;
  const mirror = database;
  context.onClose(() => mirror.close());
  // The first look begins the snapshot.
  mirror.execute('BEGIN');
  return {
    database: mirror,
    ageOf: (wanted) => {
      const syncedAt = oldestSync(sourcesIn(mirror), wanted);
      return syncedAt === undefined ? undefined : `synced ${ageText(ageOf(context, syncedAt))}`;
    },
  };
}

/** The mirror for the records of a kind, or words that say why there is none. Throws what `openNameMirror` throws. */
export async function mirrorFor(
  kind: RecordKind,
  place: LookUpPlace,
): Promise<{ mirror: NameMirror; age: string } | string> {
  const tables = tablesOf(kind);
  const mirror = await openNameMirror(place, tables);
  if (mirror === undefined) return 'names are looked up in the mirror, and there is none yet';
  const age = mirror.ageOf(tables);
  return age === undefined ? `the mirror has no ${tables[0] ?? ''} yet` : { mirror, age };
}
