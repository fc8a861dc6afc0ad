import type { PeriodFlags } from '../../cli/flags/lists/period.js';
import { refuseWith } from '../../cli/operations/legacy.js';
import type { ListPlan, ListRun, PlanOf } from '../plan.js';
import { OpenStart } from '../open-start.js';
import { periodEnd, periodOf } from '../../cli/session/times.js';
import { sinceLast, type Period, type SinceFlags } from './since-last.js';
import { usage } from '../../errors/usage.js';

/** Throws `usage` for --overlap without --since-last, and for --since-last with --ids. */
export function checkSince(flags: PeriodFlags & { readonly ids?: string | undefined }): void {
  if (flags['since-last'] !== undefined) refuseWith('--since-last', { '--ids': flags.ids });
  if (flags.overlap === undefined || flags['since-last'] !== undefined) return;
  throw usage('--overlap', '--overlap is for --since-last');
}

/** A period, and its start when --from was not given. */
export interface GivenPeriod {
  readonly period: Period;
  readonly start?: OpenStart;
}

/** The period from --from to --to; without --from it begins before all changes. Throws `usage`. */
async function givenPeriod(run: ListRun, flags: Pick<PeriodFlags, 'from' | 'to'>): Promise<GivenPeriod> {
  const { from, to = 'tomorrow' } = flags;
  if (from !== undefined) return { period: await periodOf(run, { from, to }) };
  const start = new OpenStart();
  return { start, period: { from: start.from, to: await periodEnd(run, { text: to, flag: '--to', side: 'later' }) } };
}

/**
 * Gives the plan of a list of changes for each id: with --since-last from its bookmark on, else in the period given. Throws
 * `usage`; making a plan throws `usage`, `locked` and `local`.
 */
export async function periodPlans(
  run: ListRun & { readonly flags: SinceFlags },
  planFor: (id: string, given: GivenPeriod) => ListPlan,
): Promise<PlanOf> {
  const { flags } = run;
  const name = flags['since-last'];
  if (name !== undefined)
    return (id) => sinceLast(run, { ...flags, 'since-last': name }, (period) => planFor(id, { period }));
  const given = await givenPeriod(run, flags);
  return (id) => planFor(id, given);
}
