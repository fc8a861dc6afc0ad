import { inGroup, switchFlag, type Values } from './define.js';
import { maxAgeFlag } from './mirror.js';

/** Flags of each read whose records hold Ids of others. */
export const withNamesFlags = inGroup('MIRROR', {
  'with-names': switchFlag({
    summary: 'Add the names behind Ids, as the mirror and the profile know them: ParentRelationId.Name.',
  }),
  ...maxAgeFlag,
});

/** Values of those flags. */
export type MirrorFlags = Partial<Values<typeof withNamesFlags>>;
