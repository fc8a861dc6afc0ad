import { Flags } from '@oclif/core';

const helpGroup = 'PERIOD';
const times = 'a time, a date (its midnight), now, today, yesterday, -7d, -2h';

/** Start of a period that need not be given. */
export const fromFlag = Flags.string({ summary: `Start of the period: ${times}.`, helpValue: 'TIME', helpGroup });

/** End of a period that need not be given. */
export const toFlag = Flags.string({ summary: `End of the period: ${times}.`, helpValue: 'TIME', helpGroup });

/** A start before everything: dates before 1753 are refused by some databases. */
export const beginningOfTime = '1900-01-01T00:00:00';
