import { foldersOf } from '../../profiles/store/folders.js';
import { chosenProfile, resolveProfile, type ResolvedProfile } from '../../profiles/resolve.js';
import { openStore, sandboxName, type ProfileStore } from '../../profiles/store/store.js';
import { overridesOf, type OverridingFlags, type CommonFlags } from '../flags/common.js';
import type { Context } from '../host/context.js';
import { note, type QuietFlag } from '../host/notes.js';
import { usage } from '../../core/errors/relctl-error.js';

/** The folder in which profiles are stored. */
export const folderOfProfiles = ({ environment }: Context): string => foldersOf(environment).config;

/** The profile store of the person who runs the program. */
export const profileStore = (context: Context): ProfileStore => openStore(folderOfProfiles(context));

/** The name of the profile that is used. Throws `profile` when none is chosen. */
export const chosenName = (context: Context, profile: string | undefined): string =>
  chosenProfile({ store: profileStore(context), profile, variables: context.environment.variables });

/** Flags that choose a profile and change its settings; some commands have none. */
export type ProfileFlags = OverridingFlags &
  Pick<Partial<CommonFlags>, 'quiet'> & { readonly profile?: string | undefined };

/** Resolves the profile of a command without looking secrets up or calling anything. Throws `profile` and `usage`. */
export function profileOf(context: Context, flags: ProfileFlags): ResolvedProfile {
  return resolveProfile({
    store: profileStore(context),
    profile: flags.profile,
    overrides: overridesOf(flags),
    variables: context.environment.variables,
  });
}

/** Tells which variables of the environment come before the profile. */
export async function noteOverrides(context: Context, flags: QuietFlag, profile: ResolvedProfile): Promise<void> {
  for (const variable of profile.overridden)
    await note(context, flags, `${variable} overrides profile '${profile.name}'`);
}

/** Throws `usage` for the built-in profile, which is not kept in the store. */
export function refuseBuiltIn(name: string): void {
  if (name !== sandboxName) return;
  throw usage('NAME', `the profile '${sandboxName}' is built in and cannot be changed`, {
    advice: 'Add a profile of your own instead.',
    hint: 'relctl profile add crm',
  });
}
