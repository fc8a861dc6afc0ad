import { chosenProfile, resolvedSetting, secretFor, type Resolved, type Sources } from './resolve.js';
import type { SettingName } from './settings/settings.js';
import { environmentName, sandboxName, type StoredProfile } from './store/store.js';

/** The PostgreSQL database that a profile has for its mirror. */
export interface MirrorSettings {
  readonly address: string;
  /** The setting or the variable that the address is from. */
  readonly path: string;
  /** Undefined for the usual one. */
  readonly schema: string | undefined;
  /** Looked up when it is asked for; undefined where the profile has none for this address. Throws `profile`, and the reason of the signal. */
  readonly password: (signal?: AbortSignal) => Promise<string | undefined>;
  /** True for a password that a program gives, such as a keyring, which may ask somebody. */
  readonly isOfProgram: boolean;
}

type ProfileSources = Pick<Sources, 'store' | 'profile' | 'variables'>;

/** The settings that are kept; none of a profile that was removed, of which a mirror may have stayed behind. */
function keptOf({ store }: ProfileSources, name: string): StoredProfile {
  const isKnown = [sandboxName, environmentName, ...store.names()].includes(name);
  return isKnown ? store.kept(name) : {};
}

const textOf = (found: Resolved | undefined): string | undefined =>
  found === undefined ? undefined : String(found.value);

/**
 * The database that the profile in use, or a variable, has for the mirror; undefined where the mirror is a file. The password
 * of a profile goes to the address of that profile alone. Throws `profile` when none is chosen or a setting does not hold, and
 * `usage` for a variable.
 */
export function mirrorSettings(sources: ProfileSources): MirrorSettings | undefined {
  const { variables } = sources;
  const name = chosenProfile(sources);
  const kept = { profile: keptOf(sources, name), name };
  const found = (setting: SettingName): Resolved | undefined =>
    resolvedSetting(setting, { overrides: {}, variables }, kept);
  const address = found('mirror');
  if (address === undefined) return undefined;
  const { origin } = address;
  const password = found('mirrorPassword');
  const isMeant = password?.origin.kind === 'environment' || origin.kind === 'profile';
  return {
    address: String(address.value),
    path: origin.kind === 'environment' ? origin.name : `the setting mirror of profile '${name}'`,
    schema: textOf(found('mirrorSchema')),
    password: async (signal) =>
      password !== undefined && isMeant
        ? secretFor('mirrorPassword', password, { profile: name, variables, signal })
        : undefined,
    isOfProgram: password?.origin.kind === 'profile' && /^(?:cmd|keyring):/.test(String(password.value)),
  };
}
