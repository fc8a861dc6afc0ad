import { connectionFlags } from './connection.js';
import { csvFlags } from './csv.js';
import { exportFlags } from './lists/export.js';
import { listMemberFlags } from './lists/list-members.js';
import { withNamesFlags } from './names.js';
import { outputFlags, writeOutputFlags } from './output.js';
import { pagingFlags } from './lists/paging.js';
import { writeFlags } from './write.js';

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
