import { foldersOf } from '../../profiles/store/folders.js';
import { openStore, sandboxName, type ProfileStore } from '../../profiles/store/store.js';
import type { Context } from '../../host/context.js';
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
