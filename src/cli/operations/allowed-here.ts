import type { AllowedValues } from '../../contract/widen.js';
import type { Context } from '../../host/context.js';
import { allowedIn } from './allowed.js';
import { profileUsed } from '../remedy/profile-in-line.js';
import { profileOf } from '../session/session.js';

/** The allowed values of the profile that a command line uses; undefined where there are none. Throws `profile`. */
export function allowedHere(context: Context): AllowedValues | undefined {
  const profile = profileUsed(context);
  return profile === undefined ? undefined : allowedIn(profileOf(context, { profile }));
}
