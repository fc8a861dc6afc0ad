import type { InputOf } from '../../contract/infer.js';
import type { PvAuditData } from '../../contract/records/shared.js';
import { emptyId, knownId } from './known.js';
import { type Random, words } from './random.js';

const two = (number: number): string => String(number).padStart(2, '0');

/** The text of a moment in a year of the working past, in one of the forms that services send. */
export function moment(random: Random, year: number): string {
  const [month, day] = [1 + random.below(12), 1 + random.below(28)];
  const [hour, minute, second] = [random.below(24), random.below(60), random.below(60)];
  const ending = random.pick(words.dateTimeEndings);
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${ending}`;
}

/** The value of a dateTime that was never set. */
export const unset = '0001-01-01T00:00:00';

/** The largest dateTime there is: "for ever". */
export const forEver = '9999-12-31T23:59:59.9999999';

/** A user or, as such services send it for changes by the system itself, the empty id. */
const authorOf = (random: Random): string => (random.percent(3) ? emptyId : knownId('user', 1 + random.below(4)));

/** Who made and changed a record, and when. */
export type Audit = InputOf<typeof PvAuditData>;

/** Audit data; now and then of a record that nobody changed, unless it must have been changed. */
export function audit(random: Random, must?: 'changed'): Audit {
  const changed = !random.percent(5) || must === 'changed';
  const CreatedAt = moment(random, 2015 + random.below(5));
  const CreatedByUser = authorOf(random);
  if (!changed) return { CreatedAt, CreatedByUser, ModifiedAt: unset, ModifiedByUser: emptyId };
  const ModifiedAt = moment(random, 2020 + random.below(6));
  return { CreatedAt, CreatedByUser, ModifiedAt, ModifiedByUser: authorOf(random) };
}
