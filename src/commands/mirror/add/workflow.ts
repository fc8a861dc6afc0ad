import { idArg } from '../../../cli/flags/kinds.js';
import { defineCommand } from '../../../cli/command.js';
import { addFlags, addSources } from '../../../topics/mirror/add/sources.js';

export default defineCommand(
  {
    summary: 'Mirror the steps of a workflow, and the fields of its activities.',
    description:
      'The next sync reads them into the tables workflow_steps and workflow_fields. Fields give names to the columns of the views ' +
      'of activities. Added twice, it is read once.',
    examples: ['<%= config.bin %> mirror add workflow 00000000-0030-4000-8000-000000000001 --profile sandbox'],
    args: { id: idArg('workflow', 'Id of the workflow.') },
    flags: addFlags,
  },
  ({ args, flags, context }) => {
    const input = { workflowId: args.id };
    return addSources(context, flags, () => [
      { kind: 'workflow steps', ids: [args.id], table: 'workflow_steps', input },
      { kind: 'workflow fields', ids: [args.id], table: 'workflow_fields', input },
    ]);
  },
);
