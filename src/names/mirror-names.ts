import { type RelctlError, type Remedy, usage } from '../core/errors/relctl-error.js';
import { isNearGuid } from '../core/text/scalars.js';
import { shellCommand } from '../core/text/text.js';
import type { AskingFlags } from '../kit/consent.js';
import { guidOf } from '../kit/flags/readers.js';
import { candidateLines, corrected, refuseUnasked, parameterName, profileNames } from './profile-names.js';
import { note } from '../kit/host/notes.js';
import type { RecordKind } from '../contract/lists.js';
import {
  findNamed,
  isAdded,
  namedTables,
  refersToMirrored,
  openNameColumns,
  tablesOf,
  tablesOfMember,
} from '../mirror/names.js';
import type { NameOf } from '../formats/writers/format.js';
import { isSeen, oldestSync, syncedText, syncOld, type AgeFlags } from './mirror/open.js';
import type { Session } from '../kit/session/session.js';
import type { Context, IdParameter } from '../kit/host/context.js';
import { readMirrorFile } from '../mirror/open.js';
import { sourcesIn } from '../mirror/sources.js';
import type { Database } from '../state/sqlite/open.js';
import { locateMirror, serviceOfMirror } from './mirror/location.js';
import { profileOf } from '../kit/session/profile-store.js';

/** What a command was given that decides which mirror it looks into. */
export interface LookUpContext {
  readonly context: Context;
  readonly session?: Pick<Session, 'profile'>;
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
  const location = { ...locateMirror(context, { profile: profile.name }), service: serviceOfMirror(profile) };
  let database = readMirrorFile(location);
  if (await syncOld(context, flags, { sources: database === undefined ? [] : sourcesIn(database), tables })) {
    database?.close();
    database = readMirrorFile(location);
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

/**
 * The mirror for the records of a kind, or why there is none, in words: `not-found` where no sync has filled their table. Throws
 * what `openNameMirror` throws.
 */
export async function mirrorFor(
  kind: RecordKind,
  place: LookUpContext,
): Promise<{ mirror: NameMirror; age: string } | { why: string; kind: 'usage' | 'not-found' }> {
  const tables = tablesOf(kind);
  const mirror = await openNameMirror(place, tables);
  if (mirror === undefined) return { why: 'relctl resolves names in the mirror, and there is none yet', kind: 'usage' };
  const age = mirror.ageOf(tables);
  return age === undefined ? { why: `the mirror has no ${tables[0] ?? ''} yet`, kind: 'not-found' } : { mirror, age };
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
  place: LookUpContext & { readonly session: Pick<Session, 'profile'> },
  tables: readonly string[],
): Promise<Names> {
  const { context, session, flags } = place;
  const own = profileNames(context, session);
  const mirror = await openNameMirror(place, tables);
  if (mirror === undefined) return { nameOf: own, isMirrored: () => false, isSynced: () => false, state: '' };
  const state = String(mirror.database.statement('SELECT max(synced_at) FROM "_sources"').first()?.[0] ?? '');
  const nameInMirror = openNameColumns(mirror.database);
  const used = new Set<string>();
  context.onClose(async () => {
    if (used.size === 0 || !isSeen(context)) return;
    await note(context, flags, `names come from the mirror, ${mirror.ageOf([...used]) ?? 'never synced'}`);
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

/**
 * The record that a text in a place means, by the mirror of the profile in use, and what it was resolved to in words. Throws
 * `usage` for a text that names none or several, and for one in a write that nobody is asked about; `not-found` for a mirror
 * without such records; `local` and `profile` when the mirror cannot be read, and what a sync throws.
 */
export async function recordNamed(
  parameter: IdParameter & { readonly kind: RecordKind },
  text: string,
  lookUp: LookUpContext & { readonly flags: AskingFlags; readonly isWrite: boolean },
): Promise<{ readonly id: string; readonly words: string }> {
  const { kind } = parameter;
  const path = parameterName(parameter);
  const opened = await mirrorFor(kind, lookUp);
  const refused = (why: string, remedy: Remedy): RelctlError => {
    // A slip in a GUID is no name.
    if (isNearGuid(text)) guidOf(text, path);
    return usage(path, `${path}: '${text}' is not a GUID, and ${why}`, remedy);
  };
  const sync = isAdded(kind) ? 'relctl mirror add --help' : shellCommand(['mirror', 'sync', ...tablesOf(kind)]);
  if ('why' in opened) throw refused(opened.why, { hint: sync }).but({ kind: opened.kind });
  const { mirror, age } = opened;
  const { hits, isExact } = findNamed(mirror.database, kind, text);
  const [hit, second] = hits;
  const keys = [...new Set(namedTables(kind).flatMap((table) => table.keys))].join(' or ');
  const none = `no ${keys} of a record (${kind}) in the mirror`;
  const hint = shellCommand(['find', text]);
  if (hit === undefined)
    throw refused(`${none}, ${age}`, { advice: `It may be newer than the mirror: \`${sync}\``, hint });
  const lineWith = (value: string): string =>
    corrected(parameter, text, { value, argv: lookUp.context.environment.argv });
  if (!isExact || second !== undefined) {
    const why = isExact ? `several records (${kind}) in the mirror have that name` : `${none} matches exactly`;
    const error = refused(`${why}, ${age}`, { advice: 'Use the Id of one of them.', hint });
    throw error.but({ excerpt: candidateLines(hits, lineWith) });
  }
  const words = `${path}: ${kind} '${text}' is ${hit.id} by the mirror, ${age}`;
  if (lookUp.isWrite) refuseUnasked(words, lineWith(hit.id), lookUp);
  return { id: hit.id, words };
}
