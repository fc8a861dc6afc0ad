import { repeated, type Values, refuseWith } from '../../kit/flags/define.js';
import { idsFlags, periodFlags, includeFlags, includesOf, pagedListFlags } from '../../lists/list-flags.js';
import { idOption } from '../../kit/flags/kinds.js';
import type { CommonFlags } from '../../kit/flags/common.js';
import { type RecordValue, defined } from '../../core/values/value.js';
import { operations } from '../../contract/service.js';
import { activityColumns } from '../../kit/output/columns.js';
import { openWorkflowsCatalogue } from '../../lists/fields/look-up.js';
import { legacyFlag, noteLegacy } from '../../kit/operations/legacy.js';
import type { ListRun, PlanOf } from '../../lists/plan.js';
import { resolvePeriod } from '../../lists/open-start.js';

const { RelationGetActivities, RelationGetActivitiesModified_V2 } = operations;

/** Flags of `relation activities`. */
export const relationActivitiesFlags = {
  ...periodFlags,
  workflow: idOption('workflow')({
    ...repeated,
    summary: 'Only activities of this workflow; may be repeated. With --include-fields it also names the columns.',
  }),
  legacy: legacyFlag(RelationGetActivities),
  ids: idsFlags.ids,
  ...includeFlags,
  ...pagedListFlags,
  concurrency: idsFlags.concurrency,
};

type RelationActivitiesFlags = Values<typeof relationActivitiesFlags> & CommonFlags;

type ActivitiesRun = ListRun & { readonly flags: RelationActivitiesFlags };

const shared = { shows: 'Activities', table: activityColumns } as const;

async function legacyPlan({ context, flags }: ActivitiesRun): Promise<PlanOf> {
  refuseWith('--legacy', {
    '--from': flags.from,
    '--to': flags.to,
    '--workflow': flags.workflow,
    '--page': flags.page,
    '--page-size': flags['page-size'],
  });
  await noteLegacy(context, flags, RelationGetActivities);
  const includes = includesOf(flags);
  return (relationId) => ({ ...shared, operation: RelationGetActivities, input: { relationId, ...includes } });
}

async function usualPlan(run: ActivitiesRun): Promise<PlanOf> {
  const { context, session, flags } = run;
  const { period, start } = await resolvePeriod(run, flags);
  const workflowIds = flags.workflow;
  const more: RecordValue = { ...includesOf(flags), ...defined({ workflowIds }) };
  const catalogue =
    workflowIds === undefined ? undefined : () => openWorkflowsCatalogue(context, session, { workflowIds });
  return (relationId) => ({
    ...shared,
    operation: RelationGetActivitiesModified_V2,
    input: { relationId, ...period, ...more },
    request: { start },
    catalogue,
  });
}

/** Throws `usage` for flags that cannot be used together. */
export function checkActivitiesFlags(flags: RelationActivitiesFlags): void {
  if (flags.ids === undefined) return;
  const names = ['page', 'resume', 'restart', 'meta', 'consistent', 'lock-wait', 'deadline'] as const;
  refuseWith('--ids', Object.fromEntries(names.map((name) => [`--${name}`, flags[name]])));
}

/** The plan of the activities of a relation, by its Id. Throws `usage`. */
export const planActivities = (run: ActivitiesRun): Promise<PlanOf> =>
  run.flags.legacy ? legacyPlan(run) : usualPlan(run);
