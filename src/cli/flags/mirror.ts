import { neutralGroup, type Values, inGroup, switchFlag } from './define.js';
import { durationOption, ownFileOption } from './kinds.js';

/** The flag that says which mirror a command works on. */
export const mirrorFlags = neutralGroup('MIRROR', {
  mirror: ownFileOption({ summary: 'File of the mirror; the default is one for each profile.' }),
});

/** Values of those flags. */
export type MirrorFlags = Values<typeof mirrorFlags>;

/** What can be added to a mirror beside lists of operations. */
export const addedKinds = ['activities', 'datastore', 'marks', 'relations', 'relationships', 'workflow'] as const;

/** The flag of a command that reads the mirror. */
export const maxAgeFlag = neutralGroup('MIRROR', {
  'max-age': durationOption({ summary: 'Sync the mirror first when it is older than this: 1h.' }),
});

/** Flags of a command that waits for another one on the same mirror. */
export const mirrorLockFlags = neutralGroup('MIRROR', {
  'lock-wait': durationOption({ summary: 'Wait for another sync of the same mirror: 30s, 10m.' }),
});

/** Flags of each read whose records hold Ids of others. */
export const withNamesFlags = inGroup('MIRROR', {
  'with-names': switchFlag({
    summary: 'Add the names behind Ids, as the mirror and the profile know them: ParentRelationId.Name.',
  }),
  ...maxAgeFlag,
});

/** Values of those flags. */
export type WithNamesFlags = Partial<Values<typeof withNamesFlags>>;
