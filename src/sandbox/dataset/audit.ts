import type { PvAuditData } from '../../contract/records/shared.js';
import type { InputOf } from '../../contract/infer.js';
import { emptyId, knownId } from './known.js';
import { moment, unset } from './moments.js';
import type { Random } from './random.js';

/** A user or, as such services send it for what the system did by itself, the empty id. */
export const authorOf = (random: Random): string =>
  random.percent(3) ? emptyId : knownId('user', 1 + random.below(4));

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
