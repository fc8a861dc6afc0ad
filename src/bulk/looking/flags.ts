import { neutral, switchFlag } from '../../cli/flags/define.js';
import { durationOption } from '../../cli/flags/kinds.js';

const helpGroup = 'ROWS OF A FILE';

const settle = switchFlag({
  summary: 'Find out what became of unknown rows of an earlier run, and send nothing.',
  helpGroup,
});

/** `--settle`, for commands whose records an imported operation may read. */
export const { settle: settleFlag } = neutral({ settle });

/** Flags of commands whose records can be read back. */
export const lookingFlags = neutral({
  settle,
  'max-staleness': durationOption({
    summary: 'How old the reading of a record may be when it is sent; the default is 1m.',
    helpGroup,
  }),
});
