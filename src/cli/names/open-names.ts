import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import { ageText } from '../../lexical/time/age.js';
import { refersToMirrored, ShownNames, tablesBehind } from '../../mirror/names/shown.js';
import type { CommonFlags } from '../flags/output.js';
import type { ConnectionFlags } from '../flags/connection.js';
import type { MirrorFlags } from '../flags/names.js';
import type { Session } from '../session/session.js';
import type { NameOf } from '../../output/id-names.js';
import { profileNames } from './of-ids.js';
import { freshMirror, type NameMirror } from './open-mirror.js';

/** Where names are shown. */
export interface NamingPlace {
  readonly context: Context;
  readonly session: Session;
  readonly flags: CommonFlags &
    Partial<ConnectionFlags> &
    MirrorFlags & { readonly columns?: string | undefined; readonly explode?: string | undefined };
}

/** Tells how old names were that came from a mirror, when the command ends. */
class Used {
  readonly #tables = new Set<string>();

  add(member: string): void {
    for (const table of tablesBehind(member)) this.#tables.add(table);
  }

  async tell({ context, flags }: NamingPlace, mirror: NameMirror): Promise<void> {
    if (this.#tables.size === 0) return;
    if (!context.streams.err.isTerminal && context.errorShape !== 'json') return;
    const syncedAtMs = mirror.syncedAtMs([...this.#tables]) ?? Number.NaN;
    await note(
      context,
      flags,
      `names are those of the mirror, synced ${ageText(context.clock.date().getTime() - syncedAtMs)}`,
    );
  }
}

/** Where names behind Ids are found. */
export interface Names {
  readonly nameOf: NameOf;
  /** True for a member whose names the mirror may have. */
  readonly isMirrored: (member: string) => boolean;
  /** True for a table of the mirror that was synced. */
  readonly isSynced: (table: string) => boolean;
  readonly state: string;
}

/**
 * The names of the profile, and of its mirror as it is now, whatever is synced meanwhile. Throws `local` and `profile` when
 * the mirror cannot be read, and what a sync throws.
 * @param tables those of the mirror that are synced first, when they are older than --max-age
 */
export async function openNames(place: NamingPlace, tables: readonly string[]): Promise<Names> {
  const { context, session } = place;
  const kept = profileNames(context, session);
  const mirror = await freshMirror(place, tables);
  if (mirror === undefined) return { nameOf: kept, isMirrored: () => false, isSynced: () => false, state: '' };
  // The first look begins the snapshot.
  mirror.database.execute('BEGIN');
  const state = mirror.state();
  const names = new ShownNames(mirror.database);
  const used = new Used();
  context.onClose(() => used.tell(place, mirror));
  const nameOf: NameOf = (id, member) => {
    const own = kept(id);
    if (own !== undefined) return own;
    const found = names.of(id, member);
    if (found !== undefined) used.add(member);
    return found;
  };
  const isMirrored = (member: string): boolean =>
    refersToMirrored(member) && mirror.syncedAtMs(tablesBehind(member)) !== undefined;
  const isSynced = (table: string): boolean => mirror.syncedAtMs([table]) !== undefined;
  return { nameOf, isMirrored, isSynced, state };
}
