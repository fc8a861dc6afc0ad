import { note } from '../../host/notes.js';
import { refersToMirrored, ShownNames, tablesBehind } from '../../mirror/names/shown.js';
import type { NameOf } from '../../output/id-names.js';
import { isSeen } from '../mirror/age.js';
import type { Session } from '../session/session.js';
import { openNameMirror, type LookUpPlace } from './mirror.js';
import { profileNames } from './profile-names.js';

/** Where names behind Ids are found. */
export interface Names {
  readonly nameOf: NameOf;
  /** True for a member whose names the mirror may have. */
  readonly isMirrored: (member: string) => boolean;
  /** True for a table of the mirror that was synced. */
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
  place: LookUpPlace & { readonly session: Session },
  tables: readonly string[],
): Promise<Names> {
  const { context, session, flags } = place;
  const own = profileNames(context, session);
  const mirror = await openNameMirror(place, tables);
  if (mirror === undefined) return { nameOf: own, isMirrored: () => false, isSynced: () => false, state: '' };
  const state = String(mirror.database.statement('SELECT max(synced_at) FROM "_sources"').first()?.[0] ?? '');
  const names = new ShownNames(mirror.database);
  const used = new Set<string>();
  context.onClose(async () => {
    if (used.size === 0 || !isSeen(context)) return;
    await note(context, flags, `names are those of the mirror, ${mirror.ageOf([...used]) ?? 'never synced'}`);
  });
  const isSynced = (table: string): boolean => mirror.ageOf([table]) !== undefined;
  return {
    nameOf: (id, member) => {
      const name = own(id) ?? names.of(id, member);
      if (name !== undefined && own(id) === undefined) for (const table of tablesBehind(member)) used.add(table);
      return name;
    },
    isMirrored: (member) => refersToMirrored(member) && tablesBehind(member).some(isSynced),
    isSynced,
    state,
  };
}
