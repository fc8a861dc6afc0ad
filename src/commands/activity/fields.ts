import { operations } from '../../contract/service.js';
import { idArg } from '../../kit/flags/kinds.js';
import { cacheFields } from '../../lists/fields/look-up.js';
import { listCommand } from '../../lists/command.js';

export default listCommand({
  operation: operations.ActivityGetFields,
  summary: 'List the configurable fields of the activities of a workflow.',
  examples: [
    '<%= config.bin %> activity fields 00000000-0030-4000-8000-000000000001 --profile sandbox',
    '<%= config.bin %> activity fields 00000000-0030-4000-8000-000000000001 -o csv --columns Id,Name,Type,IsRequired --profile sandbox',
  ],
  args: { workflow: idArg('workflow', 'Id of the workflow.') },
  flags: {},
  shows: 'Fields',
  table: ['Id', 'Name', 'Type', 'Label', 'IsRequired', 'Length', 'IsReadOnly'],
  request: ({ args }) => ({ workflowId: args.workflow }),
  // What was listed needs no look-up: names of fields stand for them, also with --envelope.
  came: (records, { args, context, session }) => {
    const workflowId = args.workflow;
    cacheFields(context, session, { workflowId, fields: records });
  },
});
