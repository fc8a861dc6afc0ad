import type { RecordValue } from '../../plain/value.js';
import { operations } from '../../contract/service.js';
import { activityColumns } from '../../cli/output/columns.js';
import type { Context } from '../../host/context.js';
import { openWorkflowsCatalogue } from '../../fields/look-up.js';
import { guidOf } from '../../cli/flags/values/guid.js';
import { includesOf } from '../../cli/flags/include.js';
import { subjectOf } from '../../lists/ids/read.js';
import { runEach } from '../../lists/ids/run-each.js';
import { noteLegacy, refuseWith } from '../../cli/legacy.js';
import type { ListPlan } from '../../lists/plan.js';
import { runList } from '../../lists/run.js';
import { openSession, type Session } from '../../cli/session.js';
import { checkSince, givenPeriod, periodPlan, type GivenPeriod } from '../../lists/since/period.js';
import { modifiedAt, type SinceFlags } from '../../lists/since/since-last.js';
import { defined } from '../../plain/defined.js';

const { RelationGetActivities, RelationGetActivitiesModified_V2 } = operations;

/** Flags of `relation activities`, as given. */
export interface RelationActivitiesFlags extends SinceFlags {
  readonly ids?: string | undefined;
  readonly workflow?: readonly string[] | undefined;
  readonly legacy?: unknown;
  readonly 'include-fields': boolean;
  readonly 'include-counters': boolean;
}

type PlanOf = (relationId: string, given: GivenPeriod) => ListPlan;

const shared = { shows: 'Activities', table: activityColumns } as const;

async function legacyPlan(context: Context, flags: RelationActivitiesFlags): Promise<PlanOf> {
  refuseWith('--legacy', {
    '--from': flags.from,
    '--to': flags.to,
    '--since-last': flags['since-last'],
    '--workflow': flags.workflow,
    '--page': flags.page,
    '--page-size': flags['page-size'],
  });
  await noteLegacy(context, flags, RelationGetActivities);
  const includes = includesOf(flags);
  return (relationId) => ({ ...shared, operation: RelationGetActivities, input: { relationId, ...includes } });
}

function usualPlan(context: Context, session: Session, flags: RelationActivitiesFlags): PlanOf {
  const workflowIds = flags.workflow?.map((id) => guidOf(id, '--workflow'));
  const more: RecordValue = { ...includesOf(flags), ...defined({ workflowIds }) };
  const operation = RelationGetActivitiesModified_V2;
  const catalogue =
    workflowIds === undefined ? {} : { catalogue: () => openWorkflowsCatalogue(context, session, { workflowIds }) };
  return (relationId, { period, start }) => ({
    ...shared,
    operation,
    input: { relationId, ...period, ...more },
    stampOf: modifiedAt,
    showsAll: false,
    ...defined({ start }),
    ...catalogue,
  });
}

function refuseWithIds(flags: RelationActivitiesFlags): void {
  const names = ['page', 'resume', 'restart', 'meta', 'consistent', 'lock-wait', 'deadline'] as const;
  refuseWith('--ids', Object.fromEntries(names.map((name) => [`--${name}`, flags[name]])));
}

/** Lists the activities of one relation, or with `--ids` of many. Throws `usage` and what the calls throw. */
export async function relationActivities(
  context: Context,
  args: { readonly id?: string | undefined },
  flags: RelationActivitiesFlags,
): Promise<void> {
  if (flags.ids !== undefined) refuseWithIds(flags);
  checkSince(flags);
  const subject = await subjectOf(context, { args, flags });
  const session = await openSession(context, flags);
  const place = { context, session, flags };
  const planOf = flags.legacy === true ? await legacyPlan(context, flags) : usualPlan(context, session, flags);
  if (subject.kind === 'one') {
    return runList(place, await periodPlan(place, flags, (given) => planOf(subject.id, given)));
  }
  const given = await givenPeriod(place, flags);
  return runEach(place, { ids: subject.ids, what: 'relations', planOf: (id) => planOf(id, given) });
}
