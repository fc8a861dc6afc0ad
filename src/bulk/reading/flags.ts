import { neutral, switchFlag } from '../../cli/flags/define.js';

/** The flag of commands whose rows may have the column `_base`. */
export const baseFlags = neutral({
  'no-base': switchFlag({
    summary: 'Write what the cells say, whatever the records are by now; _base is neither needed nor looked at.',
    helpGroup: 'ROWS OF A FILE',
  }),
});
