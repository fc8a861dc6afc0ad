import { bookmarkOption } from '../kinds.js';

import type { Values } from '../define.js';

/** Flags of a list without a period that tells what became of it since it was read before. */
export const changesFlags = {
  'changes-since': bookmarkOption({
    summary: 'Only what is new, changed or gone since the run of this name before, by a column _change.',
    helpValue: 'NAME',
    helpGroup: 'CHANGES',
  }),
};

/** Values of those flags. */
export type ChangesFlags = Values<typeof changesFlags>;
