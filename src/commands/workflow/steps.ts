import { operations } from '../../contract/service.js';
import { idArg } from '../../kit/flags/kinds.js';
import { listCommand } from '../../lists/command.js';

export default listCommand({
  operation: operations.WorkflowStepGetAll,
  summary: 'List the steps of a workflow.',
  examples: [
    '<%= config.bin %> workflow steps 00000000-0030-4000-8000-000000000001 --profile sandbox',
    '<%= config.bin %> workflow steps 00000000-0030-4000-8000-000000000001 -o json --profile sandbox',
  ],
  args: { id: idArg('workflow', 'Id of the workflow.') },
  flags: {},
  shows: 'WorkflowSteps',
  table: ['Id', 'Name', 'Code', 'Type'],
  request: ({ args }) => ({ workflowId: args.id }),
});
