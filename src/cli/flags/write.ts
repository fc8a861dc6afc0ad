import { profileOption } from './kinds.js';

import { switchFlag, type Values } from './define.js';

const helpGroup = 'WRITING';

/** Flags of every command that writes. */
export const writeFlags = {
  'dry-run': switchFlag({ char: 'n', summary: 'Show what would change, and write nothing.', helpGroup }),
  yes: switchFlag({ char: 'y', summary: 'Do not ask.', helpGroup }),
  confirm: profileOption({
    summary: 'Name of the profile, to write through one that is protected without a question.',
    helpValue: 'PROFILE',
    helpGroup,
  }),
};

/** Values of those flags. */
export type WriteFlags = Values<typeof writeFlags>;
