import { csvFlags } from '../../kit/flags/csv.js';
import { switchFlag, type Values, repeated } from '../../kit/flags/define.js';
import { maxAgeFlag, mirrorFlags, outputFlags, type CommonFlags } from '../../kit/flags/common.js';
import { durationOption, inputFileOption, pairOption, profileOption, wholeOption } from '../../kit/flags/kinds.js';

/** Flags of `sql`. */
export const sqlFlags = {
  profile: profileOption({ char: 'p', summary: 'Profile whose mirror is asked.', env: 'RELCTL_PROFILE' }),
  ...mirrorFlags,
  ...maxAgeFlag,
  file: inputFileOption({ summary: 'Read the statement from this file; - is stdin.' }),
  param: pairOption({
    ...repeated,
    summary: 'Value of the parameter :NAME; NAME:int=5 for a number. May be repeated.',
    helpValue: 'NAME=VALUE',
  }),
  limit: wholeOption({ least: 1, most: 2 ** 53 - 1 })({ summary: 'Stop after this many rows.', helpGroup: 'OUTPUT' }),
  timeout: durationOption({ summary: 'Stop a query that takes longer than this.' }),
  'print-file': switchFlag({ summary: 'Print the path of the file of the mirror, for other tools.' }),
  ...outputFlags,
  ...csvFlags,
};

/** Values of those flags. */
export type SqlFlags = Values<typeof sqlFlags> & CommonFlags;
