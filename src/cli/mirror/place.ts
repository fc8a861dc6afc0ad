import type { ConnectionFlags } from '../flags/connection.js';
import { profileStore } from '../session/profile-store.js';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { shellWord } from '../../lexical/shell/command.js';
import { mirrorFileOf } from '../../mirror/place.js';
import { isPostgresAddress } from '../../postgres/address.js';
import { mirrorSettings } from '../../profiles/mirror.js';
import { chosenProfile } from '../../profiles/resolve.js';
import { foldersOf } from '../../profiles/store/folders.js';

/** The mirror that a command works on. */
export interface MirrorPlace {
  readonly file: string;
  /** The command that removes it, for errors. */
  readonly forget: string;
  /** The command that makes it, for errors, without the profile. */
  readonly sync: string;
}

/** Flags that say which mirror it is. */
export type PlaceFlags = Pick<ConnectionFlags, 'profile'> & {
  readonly to?: string | undefined;
  readonly schema?: string | undefined;
};

/** The profile whose mirror it is; `environment` where the service is given by variables. */
export function profileOfMirror(context: Context, { profile }: PlaceFlags): string {
  const { variables } = context.environment;
  return chosenProfile({ store: profileStore(context), profile, variables });
}

/** Refuses what only a mirror in PostgreSQL takes, and one where a command reads files alone. Throws `usage`. */
function refusePostgres(context: Context, { to, schema, profile }: PlaceFlags): void {
  if (to !== undefined && isPostgresAddress(to)) {
    throw usage('--to', '--to takes the file of a mirror here, not a PostgreSQL address', {
      advice: 'Ask that database with psql, or sync a mirror in a file for this command.',
    });
  }
  const { variables } = context.environment;
  if (to === undefined && mirrorSettings({ store: profileStore(context), profile, variables }) !== undefined) {
    throw usage('--to', 'the mirror of this profile is in PostgreSQL, and this takes one in a file', {
      advice: 'Ask that database with psql, or name a mirror in a file by --to FILE.',
    });
  }
  if (schema !== undefined) {
    throw usage(
      '--schema',
      '--schema goes with --to postgres://USER@HOST/DATABASE, or a profile whose mirror is in PostgreSQL',
    );
  }
}

/** The file of the mirror of a profile. */
export const fileOfMirror = ({ environment }: Context, profile: string): string =>
  mirrorFileOf(foldersOf(environment.platform, environment.variables).state, profile);

/** The mirror of a profile, or the one in the file of --to. Throws `profile` when no profile is chosen, and `usage` for an address. */
export function placeOfMirror(context: Context, flags: PlaceFlags): MirrorPlace {
  refusePostgres(context, flags);
  const { to } = flags;
  const name = profileOfMirror(context, flags);
  const where = to === undefined ? '' : ` --to ${shellWord(to)}`;
  return {
    file: to === undefined ? fileOfMirror(context, name) : context.environment.pathOf(to),
    forget: `relctl mirror forget --profile ${shellWord(name)}${where}`,
    sync: `relctl mirror sync${where}`,
  };
}
