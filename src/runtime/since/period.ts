import { RelctlError } from '../../errors/relctl-error.js';
import { beginningOfTime } from '../flags/period.js';
import { refuseWith } from '../legacy.js';
import type { ListPlan, Place } from '../list-plan.js';
import { periodOf } from '../times.js';
import { sinceLast, type Period, type SinceFlags } from './since-last.js';

/** Throws `usage` for an overlap without a bookmark, and for a bookmark of many lists at once. */
export function checkSince(flags: SinceFlags & { readonly ids?: string | undefined }): void {
  if (flags['since-last'] !== undefined) refuseWith('--since-last', { '--ids': flags.ids });
  if (flags.overlap === undefined || flags['since-last'] !== undefined) return;
  throw new RelctlError('usage', '--overlap is for --since-last', { facts: { path: '--overlap' } });
}

/** The period from --from to --to; without them it is all that ever changed. Throws `usage`. */
export function givenPeriod({ context, session }: Place, flags: Pick<SinceFlags, 'from' | 'to'>): Period {
  const { from = beginningOfTime, to = 'tomorrow' } = flags;
  return periodOf(context, session, { from, to });
}

/**
 * The plan of a list of what changed in a period: from the bookmark of --since-last, else the period given. Throws
 * `usage`, `locked` and `local`.
 */
export async function periodPlan(
  place: Place,
  flags: SinceFlags,
  planFor: (period: Period) => ListPlan,
): Promise<ListPlan> {
  const name = flags['since-last'];
  if (name !== undefined) return sinceLast(place, { ...flags, 'since-last': name }, planFor);
  return planFor(givenPeriod(place, flags));
}
