import { profileOf } from '../../cli/session/session.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { flagOf, type ResolvedProfile } from '../../profiles/resolve.js';

/** The profiles that tools may use; the first is the usual one. */
export interface AllowedProfiles {
  readonly names: readonly string[];
}

/**
 * The profiles of these names, each of which is there; without names the one in use, which stays the one even when another is
 * put in use later. Throws `profile` and `usage`.
 */
export function allowedProfiles(context: Context, names: readonly string[]): AllowedProfiles {
  if (names.length === 0) return { names: [profileOf(context, {}).name] };
  return { names: [...new Set(names)].map((profile) => profileOf(context, { profile }).name) };
}

/** Throws `usage` for a profile that is protected, `profile` for one without a ledger: an agent does not write there. */
export function checkWritable(context: Context, name: string): void {
  const profile: ResolvedProfile = profileOf(context, { profile: flagOf(name) });
  if (profile.values.protected?.value === true) {
    throw usage('profile', `profile '${name}' is protected: no tool writes to it; nothing was sent`, {
      advice: 'A person can write to it on the command line, by the command of the same name.',
      hint: '',
    });
  }
  if (profile.values.ledger?.value !== false) return;
  throw new RelctlError(
    'profile',
    `profile '${name}' keeps no ledger, and each write of a tool is in it; nothing was sent`,
    {
      facts: { profile: name, path: 'ledger' },
      hint: 'relctl profile edit NAME --set ledger=yes',
    },
  );
}
