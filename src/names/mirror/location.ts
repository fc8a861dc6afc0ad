import { existsSync } from 'node:fs';
import type { ConnectionFlags } from '../../kit/flags/common.js';
import { chosenName } from '../../kit/session/profile-store.js';
import type { Context } from '../../kit/host/context.js';
import { shellWord } from '../../core/text/text.js';
import type { Service } from '../../mirror/open.js';
import { isSandbox, type ResolvedProfile } from '../../profiles/resolve.js';
import { endpointOf } from '../../kit/session/connection.js';
import { foldersOf } from '../../profiles/store/folders.js';
import { join } from 'node:path';

/** The mirror that a command works on. */
export interface MirrorLocation {
  readonly file: string;
  /** The command that removes it, for errors. */
  readonly forget: string;
  /** The command that makes it, for errors, without the profile. */
  readonly sync: string;
}

/** Flags that say which mirror it is. */
export type LocationFlags = Pick<ConnectionFlags, 'profile'> & { readonly mirror?: string | undefined };

/** The file of the mirror of a profile. A name of a profile is made of letters, digits and . _ - @, and is no path. */
export const fileOfMirror = ({ environment }: Context, profile: string): string =>
  join(foldersOf(environment).state, 'mirrors', `${profile}.db`);

/** True where a profile has a mirror. */
export const hasMirror = (context: Context, profile: string): boolean => existsSync(fileOfMirror(context, profile));

/** The service that the mirror of a profile belongs to: of the sandbox its name alone; undefined where the profile has none. */
export function serviceOfMirror(profile: ResolvedProfile): Partial<Service> | undefined {
  const text = (name: 'namespace' | 'databaseId'): string => String(profile.values[name]?.value ?? '');
  if (isSandbox(profile)) return { url: 'sandbox' };
  const url = endpointOf(profile);
  return url === undefined ? undefined : { url, namespace: text('namespace'), database: text('databaseId') };
}

/** The mirror of a profile, or the one in the file of --mirror. Throws `profile` when no profile is selected. */
export function locateMirror(context: Context, { profile, mirror }: LocationFlags): MirrorLocation {
  const name = chosenName(context, profile);
  const where = mirror === undefined ? '' : ` --mirror ${shellWord(mirror)}`;
  return {
    file: mirror === undefined ? fileOfMirror(context, name) : context.environment.pathOf(mirror),
    forget: `relctl mirror remove --all --profile ${shellWord(name)}${where}`,
    sync: `relctl mirror sync${where}`,
  };
}
