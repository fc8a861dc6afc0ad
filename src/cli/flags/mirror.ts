import { usage } from '../../errors/usage.js';
import { neutral, option, type Values } from './define.js';
import { durationOption, ownFileOption } from './kinds.js';

const helpGroup = 'MIRROR';

/** The flag that says which mirror a command works on. */
export const mirrorFlags = neutral({
  mirror: ownFileOption({ summary: 'File of the mirror; the default is one for each profile.', helpGroup }),
});

/** Values of those flags. */
export type MirrorFlags = Values<typeof mirrorFlags>;

/** What can be added to a mirror beside lists of operations. */
export const addedKinds = ['activities', 'datastore', 'marks', 'relations', 'relationships', 'workflow'] as const;

/** The flag of a command that reads the mirror. */
export const maxAgeFlag = neutral({
  'max-age': durationOption({ summary: 'Sync the mirror first when it is older than this: 1h.', helpGroup }),
});

/** Flags of a command that waits for another one on the same mirror. */
export const mirrorLockFlags = neutral({
  'lock-wait': durationOption({ summary: 'Wait for another sync of the same mirror: 30s, 10m.', helpGroup }),
});

/** How many calls a second a text asks for: 5, 5/s, 0.5/s. Throws `usage`. */
function rateOf(text: string, flag: string): number {
  const found = /^(\d{1,4}(?:\.\d{1,3})?)(?:\/s)?$/.exec(text);
  const rate = Number(found?.[1]);
  if (found !== null && rate > 0) return rate;
  throw usage(flag, `${flag} takes a number of calls a second such as 5, 5/s or 0.5/s, not '${text}'`);
}

/** The flag that paces calls for one relation after the other. */
export const rateFlag = neutral({
  rate: option(rateOf)({
    summary: 'Calls a second at most, where each relation is asked for: 5, 0.5.',
    helpValue: 'N',
    helpGroup,
  }),
});
