import { foldersOf } from '../../profiles/store/folders.js';
import { openStore, sandboxName, type ProfileStore, type StoredProfile } from '../../profiles/store/store.js';
import { isSandbox } from '../../profiles/resolve.js';
import type { Context } from '../../host/context.js';
import type { Session } from './session.js';
import { usage } from '../../errors/usage.js';

/** The profile store of the person who runs the program. */
export function profileStore(context: Context): ProfileStore {
  const { platform, variables } = context.environment;
  return openStore(foldersOf(platform, variables).config);
}

/** Throws `usage` for the built-in profile, which is not kept in the store. */
export function refuseBuiltIn(name: string): void {
  if (name !== sandboxName) return;
  throw usage('NAME', `the profile '${sandboxName}' is built in and cannot be changed`, {
    advice: 'Add one of your own instead.',
    hint: 'relctl profile add crm',
  });
}

/** The profile of a session as it is kept; undefined for the built-in one and that of the environment. */
export function storedProfile(context: Context, { profile }: Pick<Session, 'profile'>): StoredProfile | undefined {
  const store = profileStore(context);
  return isSandbox(profile) || !store.names().includes(profile.name) ? undefined : store.get(profile.name);
}
