import type { PeriodFlags } from '../../cli/flags/period.js';
import { refuseWith } from '../../cli/legacy.js';
import type { ListPlan, ListRun } from '../plan.js';
import { OpenStart } from '../open-start.js';
import { periodEnd, periodOf } from '../../cli/times.js';
import { sinceLast, type Period, type SinceFlags } from './since-last.js';
import { usage } from '../../errors/usage.js';

/** Throws `usage` for an overlap without a bookmark, and for a bookmark of many lists at once. */
export function checkSince(flags: PeriodFlags & { readonly ids?: string | undefined }): void {
  if (flags['since-last'] !== undefined) refuseWith('--since-last', { '--ids': flags.ids });
  if (flags.overlap === undefined || flags['since-last'] !== undefined) return;
  throw usage('--overlap', '--overlap is for --since-last');
}

/** A period, and where it begins when that was not given. */
export interface GivenPeriod {
  readonly period: Period;
  readonly start?: OpenStart;
}

/** The period from --from to --to; without --from it begins before everything. Throws `usage`. */
export async function givenPeriod(run: ListRun, flags: Pick<PeriodFlags, 'from' | 'to'>): Promise<GivenPeriod> {
  const { from, to = 'tomorrow' } = flags;
  if (from !== undefined) return { period: await periodOf(run, { from, to }) };
  const start = new OpenStart();
  return { start, period: { from: start.from, to: await periodEnd(run, { text: to, flag: '--to', side: 'later' }) } };
}

/**
 * The plan of a list of what changed in a period: from the bookmark of --since-last, else the period given. Throws
 * `usage`, `locked` and `local`.
 */
export async function periodPlan(
  run: ListRun,
  flags: SinceFlags,
  planFor: (given: GivenPeriod) => ListPlan,
): Promise<ListPlan> {
  const name = flags['since-last'];
  if (name === undefined) return planFor(await givenPeriod(run, flags));
  return sinceLast(run, { ...flags, 'since-last': name }, (period) => planFor({ period }));
}
