import { Args, Flags, type Interfaces } from '@oclif/core';

const helpGroup = 'IDS';

/** An argument that holds the GUID of a record, where --ids may stand instead. */
export const optionalGuidArg = (description: string): Interfaces.Arg<string | undefined> =>
  Args.string({ required: false, description: `${description} Or --ids.` });

/** Reads ids from a file instead of one from the command line. */
export const idsFlag = Flags.string({
  summary: 'Ask for each id in this file, or in stdin by -: one a line, or the column Id of a CSV.',
  helpValue: 'FILE',
  helpGroup,
});

/** How many ids are asked for at once. */
export const concurrencyFlag = Flags.string({
  summary: 'With --ids, calls under way at once: 1 to 16; the default is 3.',
  helpValue: 'N',
  helpGroup,
});

/** Flags of a command that takes many ids. */
export const idsFlags = { ids: idsFlag, concurrency: concurrencyFlag };
