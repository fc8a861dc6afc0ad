import { existsSync } from 'node:fs';
import type { Operation } from '../../contract/build.js';
import { fileOfDescription } from '../../profiles/descriptions/place.js';
import type { Context } from '../host/context.js';
import { folderOfProfiles } from '../session/profile-store.js';
import type { ResolvedProfile } from '../../profiles/resolve.js';
import { endpointOf } from '../session/connection.js';

/** Gives operations as the service of a profile answers them; undefined, and nothing loaded, without an import. */
export async function readableFor(
  context: Context,
  profile: ResolvedProfile,
): Promise<((operation: Operation) => Operation) | undefined> {
  const folder = folderOfProfiles(context);
  if (!existsSync(fileOfDescription(folder, profile.name))) return undefined;
  const { readableBy } = await import('../../profiles/descriptions/kept.js');
  return readableBy({ folder, profile: profile.name, service: endpointOf(profile) });
}
