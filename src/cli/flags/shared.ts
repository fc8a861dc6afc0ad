import { connectionFlags } from './connection.js';
import { csvFlags } from './csv.js';
import { exportFlags } from './export.js';
import { outputFlags } from './output.js';
import { pagingFlags } from './paging.js';
import { writeFlags } from './write.js';

/** Flags of a list; those of pages do nothing for an operation without pages, so it has them not. */
export function listFlags(
  isPaged: boolean,
): typeof connectionFlags & typeof outputFlags & typeof csvFlags & Partial<typeof pagingFlags & typeof exportFlags> {
  const { limit } = pagingFlags;
  const { expect, 'max-shrink': maxShrink } = exportFlags;
  return {
    ...connectionFlags,
    ...(isPaged ? { ...pagingFlags, ...exportFlags } : { limit, expect, 'max-shrink': maxShrink }),
    ...outputFlags,
    ...csvFlags,
  };
}

/** Flags of a command that writes. */
export const writeCallFlags = { ...connectionFlags, ...outputFlags, ...writeFlags };

/** Flags of a list with pages. */
export const pagedListFlags = { ...connectionFlags, ...pagingFlags, ...exportFlags, ...outputFlags, ...csvFlags };
