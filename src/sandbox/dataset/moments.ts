import type { Random } from './random.js';
import { words } from './words.js';

const two = (number: number): string => String(number).padStart(2, '0');

/** A moment in a year of the working past, in one of the forms that services send. */
export function moment(random: Random, year: number): string {
  const date = `${year}-${two(1 + random.below(12))}-${two(1 + random.below(28))}`;
  return `${date}T${two(random.below(24))}:${two(random.below(60))}:${two(random.below(60))}${random.pick(words.dateTimeEndings)}`;
}

/** The value of a dateTime that was never set. */
export const unset = '0001-01-01T00:00:00';

/** The largest dateTime there is: "for ever". */
export const forEver = '9999-12-31T23:59:59.9999999';
