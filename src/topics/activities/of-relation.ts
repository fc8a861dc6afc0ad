import type { Values } from '../../cli/flags/define.js';
import { concurrencyFlag, idsFlag } from '../../cli/flags/ids.js';
import { guidOption } from '../../cli/flags/kinds.js';
import type { CommonFlags } from '../../cli/flags/output.js';
import { periodFlags } from '../../cli/flags/period.js';
import { pagedListFlags } from '../../cli/flags/shared.js';
import type { RecordValue } from '../../plain/value.js';
import { operations } from '../../contract/service.js';
import { activityColumns } from '../../cli/output/columns.js';
import type { Context } from '../../host/context.js';
import { openWorkflowsCatalogue } from '../../fields/look-up.js';
import { includeFlags, includesOf } from '../../cli/flags/include.js';
import { subjectOf } from '../../lists/ids/read.js';
import { runEach } from '../../lists/ids/run-each.js';
import { legacyFlag, noteLegacy, refuseWith } from '../../cli/legacy.js';
import type { ListPlan } from '../../lists/plan.js';
import { runList } from '../../lists/run.js';
import { openSession, type Session } from '../../cli/session.js';
import { checkSince, givenPeriod, periodPlan, type GivenPeriod } from '../../lists/since/period.js';
import { modifiedAt } from '../../lists/since/since-last.js';
import { defined } from '../../plain/defined.js';

const { RelationGetActivities, RelationGetActivitiesModified_V2 } = operations;

/** Flags of `relation activities`. */
export const relationActivitiesFlags = {
  ...periodFlags,
  workflow: guidOption({
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Only activities of this workflow; may be repeated. With --include-fields it names the columns.',
  }),
  legacy: legacyFlag(RelationGetActivities),
  ids: idsFlag,
  ...includeFlags,
  ...pagedListFlags,
  concurrency: concurrencyFlag,
};

type RelationActivitiesFlags = Values<typeof relationActivitiesFlags> & CommonFlags;

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
  const workflowIds = flags.workflow;
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
  const planOf = flags.legacy ? await legacyPlan(context, flags) : usualPlan(context, session, flags);
  if (subject.kind === 'one') {
    return runList(place, await periodPlan(place, flags, (given) => planOf(subject.id, given)));
  }
  const given = await givenPeriod(place, flags);
  return runEach(place, { ids: subject.ids, what: 'relations', planOf: (id) => planOf(id, given) });
}
