import { existsSync } from 'node:fs';
import type { Context } from '../../host/context.js';
import { mirrorFileOf } from '../../mirror/place.js';
import { foldersOf } from '../../profiles/store/folders.js';

/** Path of the mirror of a profile. */
export function mirrorFile({ environment: { platform, variables } }: Context, profile: string): string {
  return mirrorFileOf(foldersOf(platform, variables).state, profile);
}

/** True where a profile has a mirror. */
export const hasMirrorFile = (context: Context, profile: string): boolean => existsSync(mirrorFile(context, profile));
