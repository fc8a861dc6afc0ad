import { neutral, switchFlag } from '../../kit/flags/define.js';

/** The flag of lists whose records can be edited in a file. */
export const forEditFlags = neutral({
  'for-edit': switchFlag({
    summary: 'With -o csv or xlsx, a file to edit and to feed back by --file, with a column _base.',
    helpGroup: 'OUTPUT',
  }),
});
