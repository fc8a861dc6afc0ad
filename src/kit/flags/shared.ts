import { connectionFlags, outputFlags, writeOutputFlags, withNamesFlags } from './common.js';
import { csvFlags } from './csv.js';
import { exportFlags } from './lists/export.js';
import { listMemberFlags, pagingFlags } from './lists/list.js';
import { profileOption } from './kinds.js';
import { inGroup, switchFlag, type Values } from './define.js';

/** Flags of every command that writes. */
const writeFlags = inGroup('WRITING', {
  'dry-run': switchFlag({ char: 'n', summary: 'Show what would change, and write nothing.' }),
  yes: switchFlag({ char: 'y', summary: 'Do not ask; in a terminal every write does.' }),
  confirm: profileOption({
    summary: 'Name of the profile, to write through one that is protected without a question.',
    helpValue: 'PROFILE',
  }),
});

/** Values of those flags. */
export type WriteFlags = Values<typeof writeFlags>;

/** Flags of a command that writes. */
export const writeCallFlags = { ...connectionFlags, ...writeOutputFlags, ...writeFlags };

/** Flags of a list with pages. */
export const pagedListFlags = {
  ...connectionFlags,
  ...pagingFlags,
  ...exportFlags,
  ...outputFlags,
  ...withNamesFlags,
  ...listMemberFlags,
  ...csvFlags,
};

const { limit } = pagingFlags;
const { expect, 'max-shrink': maxShrink } = exportFlags;

/** Flags of a list that comes as a whole: those of pages would do nothing. */
export const wholeListFlags = {
  ...connectionFlags,
  limit,
  expect,
  'max-shrink': maxShrink,
  ...outputFlags,
  ...withNamesFlags,
  ...listMemberFlags,
  ...csvFlags,
};
