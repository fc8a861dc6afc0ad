import { neutral, type Values } from '../define.js';
import { timeOption } from '../kinds.js';

const helpGroup = 'PERIOD';
const times = 'a time, a date (its midnight), now, today, yesterday, -7d, -2h';

/** Start of a period that need not be given. */
const fromFlag = timeOption({
  summary: `Start of the period: ${times}. Where clocks change, the earlier instant.`,
  helpGroup,
});

/** End of a period that need not be given. */
const toFlag = timeOption({
  summary: `End of the period: ${times}. Where clocks change, the later instant.`,
  helpGroup,
});

/** An end after everything: dates after June 2079 are refused by some databases. No clock decides what lies before it. */
export const endOfTime = '2079-01-01T00:00:00';

/** Flags of a list with a period. */
export const periodFlags = neutral({ from: fromFlag, to: toFlag });

/** Values of those flags. */
export type PeriodFlags = Values<typeof periodFlags>;
