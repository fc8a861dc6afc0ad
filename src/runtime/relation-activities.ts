import { operations } from '../contract/service.js';
import type { RecordValue } from '../soap/values.js';
import { activityColumns } from './columns.js';
import type { Context } from './context.js';
import { openWorkflowsBook } from './fields/look-up.js';
import { guidOf } from './flags/guid.js';
import { includesOf } from './flags/include.js';
import { beginningOfTime } from './flags/period.js';
import { subjectOf } from './ids/read.js';
import { runEach } from './ids/run-each.js';
import { noteLegacy, refuseWith } from './legacy.js';
import type { ListFlags, ListPlan } from './list-plan.js';
import { runList } from './run-list.js';
import { openSession, type Session } from './session.js';
import { periodOf } from './times.js';

const { RelationGetActivities, RelationGetActivitiesModified_V2 } = operations;

/** Flags of `relation activities`, as given. */
export interface RelationActivitiesFlags extends ListFlags {
  readonly ids?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly workflow?: readonly string[] | undefined;
  readonly legacy?: unknown;
  readonly 'include-fields': boolean;
  readonly 'include-counters': boolean;
}

type PlanOf = (relationId: string) => ListPlan;

const shared = { shows: 'Activities', table: activityColumns } as const;

async function legacyPlan(context: Context, flags: RelationActivitiesFlags): Promise<PlanOf> {
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

function usualPlan(context: Context, session: Session, flags: RelationActivitiesFlags): PlanOf {
  const period = periodOf(context, session, { from: flags.from ?? beginningOfTime, to: flags.to ?? 'tomorrow' });
  const workflowIds = flags.workflow?.map((id) => guidOf(id, '--workflow'));
  const more: RecordValue = { ...period, ...includesOf(flags), ...(workflowIds === undefined ? {} : { workflowIds }) };
  const operation = RelationGetActivitiesModified_V2;
  const book = workflowIds === undefined ? {} : { book: () => openWorkflowsBook(context, session, { workflowIds }) };
  return (relationId) => ({ ...shared, operation, input: { relationId, ...more }, ...book });
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
  const subject = await subjectOf(context, { args, flags });
  const session = await openSession(context, flags);
  const place = { context, session, flags };
  const planOf = flags.legacy === true ? await legacyPlan(context, flags) : usualPlan(context, session, flags);
  if (subject.kind === 'one') return runList(place, planOf(subject.id));
  return runEach(place, { ids: subject.ids, what: 'relations', planOf });
}
