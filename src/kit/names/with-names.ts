import { note } from '../host/notes.js';
import type { RecordKind } from '../../contract/lists.js';
import { refersToMirrored, openShownNames, tablesOf, tablesOfMember } from '../../mirror/names.js';
import type { NameOf } from '../../formats/writers/format.js';
import { isSeen, oldestSync, syncedText, syncOld, type AgeFlags } from '../mirror/age.js';
import type { Session } from '../session/session.js';
import { profileNames } from './profile-names.js';
import type { Context } from '../host/context.js';
import { readMirrorFile } from '../../mirror/open.js';
import { sourcesIn } from '../../mirror/sources.js';
import type { Database } from '../../state/sqlite/open.js';
import { locateMirror, serviceOfMirror } from '../mirror/place.js';
import { profileOf } from '../session/profile-store.js';

/** What a command was given that decides which mirror it looks into. */
export interface LookUpContext {
  readonly context: Context;
  readonly session?: Session;
  readonly flags: AgeFlags;
}

/** A mirror that names are looked up in, all of them in one state of it. */
interface NameMirror {
  readonly database: Database;
  /** How old the oldest of some tables is, in words: `synced 3 hours ago`; undefined when none was ever synced. */
  readonly ageOf: (tables: readonly string[]) => string | undefined;
}

/**
 * The mirror of the profile in use, until the command ends, after a sync of these tables when they are older than --max-age;
 * undefined when there is none. Throws `local` for a file that is no mirror, `profile` for the mirror of another service, and
 * what the sync throws.
 */
async function openNameMirror(
  lookUpContext: LookUpContext,
  tables: readonly string[],
): Promise<NameMirror | undefined> {
  const { context, flags } = lookUpContext;
  const profile = lookUpContext.session?.profile ?? profileOf(context, flags);
  const given = { ...locateMirror(context, { profile: profile.name }), service: serviceOfMirror(profile) };
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
      return syncedAt === undefined ? undefined : syncedText(context, syncedAt);
    },
  };
}

/** Why there is no mirror for the records of a kind, in words; where there is one, no sync has filled their table. */
interface NoMirror {
  readonly why: string;
  readonly isUnfilled: boolean;
}

/** The mirror for the records of a kind, or why there is none. Throws what `openNameMirror` throws. */
export async function mirrorFor(
  kind: RecordKind,
  place: LookUpContext,
): Promise<{ mirror: NameMirror; age: string } | NoMirror> {
  const tables = tablesOf(kind);
  const mirror = await openNameMirror(place, tables);
  if (mirror === undefined)
    return { why: 'names are looked up in the mirror, and there is none yet', isUnfilled: false };
  const age = mirror.ageOf(tables);
  return age === undefined ? { why: `the mirror has no ${tables[0] ?? ''} yet`, isUnfilled: true } : { mirror, age };
}

/** Where names behind Ids are found. */
export interface Names {
  readonly nameOf: NameOf;
  /** True for a member whose names the mirror may have. */
  readonly isMirrored: (member: string) => boolean;
  readonly isSynced: (table: string) => boolean;
  /** Stands for what is in the mirror: another text after each sync. */
  readonly state: string;
}

/**
 * The names of the profile, and of its mirror as it is now, whatever is synced meanwhile. Reports at the end how old those
 * were that came from the mirror. Throws `local` and `profile` when the mirror cannot be read, and what a sync throws.
 * @param tables those that are synced first, when they are older than --max-age
 */
export async function openNames(
  place: LookUpContext & { readonly session: Session },
  tables: readonly string[],
): Promise<Names> {
  const { context, session, flags } = place;
  const own = profileNames(context, session);
  const mirror = await openNameMirror(place, tables);
  if (mirror === undefined) return { nameOf: own, isMirrored: () => false, isSynced: () => false, state: '' };
  const state = String(mirror.database.statement('SELECT max(synced_at) FROM "_sources"').first()?.[0] ?? '');
  const nameInMirror = openShownNames(mirror.database);
  const used = new Set<string>();
  context.onClose(async () => {
    if (used.size === 0 || !isSeen(context)) return;
    await note(context, flags, `names are those of the mirror, ${mirror.ageOf([...used]) ?? 'never synced'}`);
  });
  const isSynced = (table: string): boolean => mirror.ageOf([table]) !== undefined;
  return {
    nameOf: (id, member) => {
      const name = own(id) ?? nameInMirror(id, member);
      if (name !== undefined && own(id) === undefined) for (const table of tablesOfMember(member)) used.add(table);
      return name;
    },
    isMirrored: (member) => refersToMirrored(member) && tablesOfMember(member).some(isSynced),
    isSynced,
    state,
  };
}
