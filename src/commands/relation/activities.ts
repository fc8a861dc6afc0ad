import { operations } from '../../contract/service.js';
import { relationActivities, relationActivitiesFlags } from '../../topics/activities/of-relation.js';
import { defineCommand } from '../../cli/command.js';
import { optionalGuidArg } from '../../cli/flags/kinds.js';

const { RelationGetActivities, RelationGetActivitiesModified_V2 } = operations;

export default defineCommand(
  {
    summary: 'List the activities of a relation that changed in a period; without a period, all of them.',
    description:
      'With --ids the activities of many relations are one list: its first column, _relationId, says whose an activity ' +
      'is. A relation that fails is told on stderr and the others go on: exit code 8 when some failed.',
    examples: [
      '<%= config.bin %> relation activities 00000000-0000-4000-8000-000000000102 --profile sandbox',
      '<%= config.bin %> relation activities 00000000-0000-4000-8000-000000000102 --from 2024-01-01 --to now -o csv --profile sandbox',
      '<%= config.bin %> relation activities 00000000-0000-4000-8000-000000000102 --since-last crm --from 2024-01-01 -o csv --profile sandbox',
      '<%= config.bin %> relation activities 00000000-0000-4000-8000-000000000102 --since-last crm -o csv --profile sandbox',
      '<%= config.bin %> relation activities 00000000-0000-4000-8000-000000000102 --workflow 00000000-0030-4000-8000-000000000001 --profile sandbox',
      '<%= config.bin %> relation list --columns Id -o csv --profile sandbox | <%= config.bin %> relation activities --ids - -o csv --profile sandbox',
    ],
    args: { id: optionalGuidArg('Id of the relation.') },
    flags: relationActivitiesFlags,
    operations: [RelationGetActivitiesModified_V2.name, RelationGetActivities.name],
  },
  ({ args, flags, context }) => relationActivities(context, args, flags),
);
