import { existsSync } from 'node:fs';
import type { Context } from '../../host/context.js';
import { mirrorFileOf } from '../../mirror/place.js';
import { profileStore } from '../session/profile-store.js';
import { mirrorSettings } from '../../profiles/mirror.js';
import { foldersOf } from '../../profiles/store/folders.js';

/** Path of the mirror of a profile. */
export function mirrorFile({ environment: { platform, variables } }: Context, profile: string): string {
  return mirrorFileOf(foldersOf(platform, variables).state, profile);
}

/** True where a profile has its mirror in a file, and that is there: what it holds is found without asking a server. */
export function hasMirrorFile(
  context: Context,
  name: string,
  { profile }: { readonly profile?: string | undefined },
): boolean {
  const { variables } = context.environment;
  return (
    existsSync(mirrorFile(context, name)) &&
    mirrorSettings({ store: profileStore(context), profile, variables }) === undefined
  );
}
