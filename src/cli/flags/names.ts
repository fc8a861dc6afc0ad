import { neutral, switchFlag, type Values } from './define.js';
import { durationOption } from './kinds.js';

const helpGroup = 'MIRROR';

/** Flags of each command that takes names of the mirror in the place of Ids. */
export const mirrorFlags = neutral({
  'max-age': durationOption({
    summary: 'Sync the mirror first where names are looked up and it is older than this: 1h.',
    helpGroup,
  }),
});

/** Flags of each read whose records hold Ids of others. */
export const withNamesFlags = {
  'with-names': switchFlag({
    summary: 'Add the names behind Ids, as the mirror and the profile know them: ParentRelationId.Name.',
    helpGroup,
  }),
  ...mirrorFlags,
};

/** Values of those flags. */
export type MirrorFlags = Partial<Values<typeof withNamesFlags>>;
