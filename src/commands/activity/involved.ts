import { operations } from '../../contract/service.js';
import { recordArg } from '../../kit/flags/kinds.js';
import { listCommand } from '../../lists/command.js';

export default listCommand({
  operation: operations.ActivityGetInvolveds,
  summary: 'List the parties that are involved in an activity.',
  examples: ['<%= config.bin %> activity involved 00000000-0020-4000-8000-000000000001 --profile sandbox'],
  args: { id: recordArg('activity') },
  flags: {},
  shows: 'Involveds',
  table: ['RelationshipId', 'Type', 'Id'],
  request: ({ args }) => ({ activityId: args.id }),
});
