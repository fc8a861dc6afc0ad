import { neutral, switchFlag } from '../../cli/flags/define.js';

/** The flag of commands whose rows may have the column `_base`. */
export const baseFlags = neutral({
  'no-base': switchFlag({
    summary: 'Write what the cells say, whatever the records are by now; without it a file has the column _base.',
    helpGroup: 'ROWS OF A FILE',
  }),
});
