import { bulkFlags } from '../../bulk/flags.js';
import { switchFlag, type Values } from '../../cli/flags/define.js';
import { inputFileOption } from '../../cli/flags/kinds.js';
import { parameterFlags, readFlag } from '../../cli/flags/lists/of-operation.js';
import type { CommonFlags } from '../../cli/flags/output.js';
import { writeCallFlags } from '../../cli/flags/shared.js';
import { listFlags, sharedFlags } from './list-flags.js';

/** Flags of `call`. */
export const callFlags = {
  ...parameterFlags,
  input: inputFileOption({
    summary:
      'Parameters as one JSON object or as XML, or a whole envelope that goes out as it is; - reads stdin; 8 MiB at most.',
  }),
  'raw-output': switchFlag({ summary: 'Print the answer as it came.' }),
  ...readFlag,
  write: switchFlag({ summary: 'Call an operation that is not in the contract, which writes.' }),
  ...listFlags,
  ...writeCallFlags,
  ...bulkFlags,
  ...sharedFlags,
};

/** Values of those flags. */
export type FreeCallFlags = Values<typeof callFlags> & CommonFlags;
