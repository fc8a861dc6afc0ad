import { neutralGroup, type Values } from '../define.js';
import { timeOption } from '../kinds.js';

const times = 'a time, a date (its midnight), now, today, yesterday, -7d, -2h';

/** An end after everything: dates after June 2079 are refused by some databases. No clock decides what lies before it. */
export const endOfTime = '2079-01-01T00:00:00';

/** Flags of a list with a period. */
export const periodFlags = neutralGroup('PERIOD', {
  from: timeOption({ summary: `Start of the period: ${times}. Where clocks change, the earlier instant.` }),
  to: timeOption({ summary: `End of the period: ${times}. Where clocks change, the later instant.` }),
});

/** Values of those flags. */
export type PeriodFlags = Values<typeof periodFlags>;
