import { Flags } from '@oclif/core';
import { operations } from '../../contract/service.js';
import { defineCommand } from '../../runtime/command.js';
import { guidArg, guidOf } from '../../runtime/flags/guid.js';
import { includeFlags, includesOf } from '../../runtime/flags/include.js';
import { beginningOfTime, fromFlag, toFlag } from '../../runtime/flags/period.js';
import { pagedListFlags } from '../../runtime/flags/shared.js';
import { activityColumns } from '../../runtime/columns.js';
import { legacyFlag, noteLegacy, refuseWith } from '../../runtime/legacy.js';
import { runList } from '../../runtime/run-list.js';
import { openSession } from '../../runtime/session.js';
import { periodOf } from '../../runtime/times.js';

const { RelationGetActivities, RelationGetActivitiesModified_V2 } = operations;

export default defineCommand(
  {
    summary: 'List the activities of a relation that changed in a period; without a period, all that ever changed.',
    examples: [
      '<%= config.bin %> relation activities 00000000-0000-4000-8000-000000000102 --profile sandbox',
      '<%= config.bin %> relation activities 00000000-0000-4000-8000-000000000102 --from 2024-01-01 --to now -o csv --profile sandbox',
      '<%= config.bin %> relation activities 00000000-0000-4000-8000-000000000102 --workflow 00000000-0030-4000-8000-000000000001 --profile sandbox',
    ],
    args: { id: guidArg('Id of the relation.') },
    flags: {
      from: fromFlag,
      to: toFlag,
      workflow: Flags.string({
        multiple: true,
        multipleNonGreedy: true,
        summary: 'Only activities of this workflow; may be repeated.',
        helpValue: 'GUID',
      }),
      legacy: legacyFlag(RelationGetActivities),
      ...includeFlags,
      ...pagedListFlags,
    },
    operations: [RelationGetActivitiesModified_V2.name, RelationGetActivities.name],
  },
  async ({ args, flags, context }) => {
    const relationId = guidOf(args.id, 'ID');
    const session = await openSession(context, flags);
    const place = { context, session, flags };
    const shared = { shows: 'Activities', table: activityColumns };
    if (flags.legacy) {
      refuseWith('--legacy', {
        '--from': flags.from,
        '--to': flags.to,
        '--workflow': flags.workflow,
        '--page': flags.page,
        '--page-size': flags['page-size'],
      });
      await noteLegacy(context, flags, RelationGetActivities);
      const input = { relationId, ...includesOf(flags) };
      return runList(place, { ...shared, operation: RelationGetActivities, input });
    }
    const period = periodOf(context, session, { from: flags.from ?? beginningOfTime, to: flags.to ?? 'tomorrow' });
    const workflowIds = flags.workflow?.map((id) => guidOf(id, '--workflow'));
    const input = {
      relationId,
      ...period,
      ...includesOf(flags),
      ...(workflowIds === undefined ? {} : { workflowIds }),
    };
    return runList(place, { ...shared, operation: RelationGetActivitiesModified_V2, input });
  },
);
