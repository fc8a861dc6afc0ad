import { neutralGroup, type Values, repeated } from '../../cli/flags/define.js';
import { idOption, textOption } from '../../cli/flags/kinds.js';
import { settleFlag } from '../../bulk/flags.js';

/** Flags that say how the activities of rows are found by a search, so that they can be read before and after they are written. */
export const findingFlags = neutralGroup('ROWS OF A FILE', {
  'entity-type': idOption('entity-type')({
    summary: 'Kind of the activities: they are searched for, and compared with the rows.',
  }),
  'find-by': textOption({
    ...repeated,
    summary: 'A column that is searched for and not written; without one, all of the kind are read; may be repeated.',
    helpValue: 'COLUMN',
  }),
  ...settleFlag,
});

/** Values of those flags. */
export type FindingFlags = Values<typeof findingFlags>;
