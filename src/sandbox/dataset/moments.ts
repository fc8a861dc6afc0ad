import type { InputOf } from '../../contract/infer.js';
import type { PvAuditData } from '../../contract/records/shared.js';
import { emptyId, knownId } from './known.js';
import type { Random } from './random.js';
import { words } from './words.js';

const pairs = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

const two = (number: number): string => pairs[number] ?? '';

/** A moment in a year of the working past, in one of the forms that services send. */
export function moment(random: Random, year: number): string {
  const date = `${year}-${two(1 + random.below(12))}-${two(1 + random.below(28))}`;
  return `${date}T${two(random.below(24))}:${two(random.below(60))}:${two(random.below(60))}${random.pick(words.dateTimeEndings)}`;
}

/** The value of a dateTime that was never set. */
export const unset = '0001-01-01T00:00:00';

/** The largest dateTime there is: "for ever". */
export const forEver = '9999-12-31T23:59:59.9999999';

/** A user or, as such services send it for changes by the system itself, the empty id. */
const authorOf = (random: Random): string => (random.percent(3) ? emptyId : knownId('user', 1 + random.below(4)));

/**
 * Audit data; now and then a record that nobody changed since it was made, whose change was never set, unless it must have
 * been changed.
 */
export function audit(random: Random, must?: 'changed'): InputOf<typeof PvAuditData> {
  const changed = !random.percent(5) || must === 'changed';
  return {
    CreatedAt: moment(random, 2015 + random.below(5)),
    CreatedByUser: authorOf(random),
    ModifiedAt: changed ? moment(random, 2020 + random.below(6)) : unset,
    ModifiedByUser: changed ? authorOf(random) : emptyId,
  };
}
