import { operations } from '../../contract/service.js';
import { activityColumns } from '../../kit/output/columns.js';
import { recordArg } from '../../kit/flags/kinds.js';
import { includeFlags, includesOf } from '../../lists/list-flags.js';
import { listCommand } from '../../lists/command.js';

export default listCommand({
  operation: operations.ActivityGetConnectedActivities,
  summary: 'List the activities that are connected to an activity.',
  examples: [
    '<%= config.bin %> activity connected 00000000-0020-4000-8000-000000000001 --profile sandbox',
    '<%= config.bin %> activity connected 00000000-0020-4000-8000-000000000001 --include-fields -o json --profile sandbox',
  ],
  args: { id: recordArg('activity') },
  flags: includeFlags,
  shows: 'Activities',
  table: activityColumns,
  request: ({ args, flags }) => ({ activityId: args.id, ...includesOf(flags) }),
});
