import { profileOption } from './kinds.js';

import { inGroup, switchFlag, type Values } from './define.js';

/** Flags of every command that writes. */
export const writeFlags = inGroup('WRITING', {
  'dry-run': switchFlag({ char: 'n', summary: 'Show what would change, and write nothing.' }),
  yes: switchFlag({ char: 'y', summary: 'Do not ask.' }),
  confirm: profileOption({
    summary: 'Name of the profile, to write through one that is protected without a question.',
    helpValue: 'PROFILE',
  }),
});

/** Values of those flags. */
export type WriteFlags = Values<typeof writeFlags>;
