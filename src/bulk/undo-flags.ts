import { neutral, type Values } from '../cli/flags/define.js';
import { keptFileOption, wholeOption } from '../cli/flags/kinds.js';
import { bulkFlags } from './flags.js';
import { lookingFlags } from './looking/flags.js';

const helpGroup = 'ROWS OF A BATCH';

/** The same flags in the help of an undo. */
function inGroup<F extends Readonly<Record<string, object>>>(flags: F): F {
  // The same flags by the same names.
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, { ...flag, helpGroup }]),
  ) as unknown as F;
}

const { resume, restart, concurrency, rate } = bulkFlags;

/** Flags of an undo of the rows of a batch. */
export const undoFlags = neutral({
  row: wholeOption({ least: 1, most: 10_000_000 })({
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Put back this row alone, by its number in `writes show --rows`; may be repeated.',
    helpGroup,
  }),
  results: keptFileOption({
    summary: 'What became of each row, as CSV; the default stands beside the results of the batch.',
    helpGroup,
  }),
  ...inGroup({
    resume,
    restart,
    'retry-unknown': bulkFlags['retry-unknown'],
    ...lookingFlags,
    concurrency,
    rate,
    'max-errors': bulkFlags['max-errors'],
    'max-rows': bulkFlags['max-rows'],
  }),
});

/** Values of those flags. */
export type UndoFlags = Values<typeof undoFlags>;
