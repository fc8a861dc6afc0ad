import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { nameKinds, namesOf } from '../../profiles/kept/names.js';
import { profileStore } from '../session/profile-store.js';
import type { Session } from '../session/session.js';

function namesById(context: Context, { profile }: Pick<Session, 'profile'>): ReadonlyMap<string, string> {
  try {
    const names = namesOf(profileStore(context).kept(profile.name));
    const kinds = nameKinds.filter((kind) => kind !== 'field-datastore');
    return new Map(
      kinds.flatMap((kind) => Object.entries(names[kind]).map(([name, id]) => [id.toLowerCase(), name] as const)),
    );
  } catch (thrown) {
    // A record is worth more than names for what it refers to.
    if (thrown instanceof RelctlError) return new Map();
    throw thrown;
  }
}

/** What the profile of a session calls ids; its file is read when the first is asked for. */
export function profileNames(context: Context, session: Pick<Session, 'profile'>): (id: string) => string | undefined {
  let names: ReadonlyMap<string, string> | undefined;
  return (id) => (names ??= namesById(context, session)).get(id.toLowerCase());
}
