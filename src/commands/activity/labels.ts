import { Flags } from '@oclif/core';
import { operations } from '../../contract/service.js';
import { labelColumns } from '../../cli/output/columns.js';
import { defineCommand } from '../../cli/command.js';
import { openCatalogue } from '../../fields/look-up.js';
import { workflowFlag } from '../../cli/flags/values/field.js';
import { guidArg } from '../../cli/flags/kinds.js';
import { wholeListFlags } from '../../cli/flags/shared.js';
import { runList } from '../../lists/run.js';
import { openSession } from '../../cli/session.js';

const operation = operations.ActivityGetLabels;

export default defineCommand(
  {
    summary: 'List the labels on a field of an activity.',
    examples: [
      '<%= config.bin %> activity labels 00000000-0020-4000-8000-000000000001 --field 00000000-0041-4000-8000-000000001106 --profile sandbox',
      '<%= config.bin %> activity labels 00000000-0020-4000-8000-000000000001 --field 00000000-0041-4000-8000-000000001106 -o json --profile sandbox',
    ],
    args: { id: guidArg('Id of the activity.') },
    flags: {
      field: Flags.string({
        required: true,
        summary: 'The field: id, alias, or with --workflow name or label.',
        helpValue: 'FIELD',
      }),
      workflow: workflowFlag,
      ...wholeListFlags,
    },
    operations: [operation.name],
  },
  async ({ args, flags, context }) => {
    const activityId = args.id;
    const session = await openSession(context, flags);
    const catalogue = await openCatalogue(context, session, flags);
    const { id: fieldId } = catalogue.find(flags.field, '--field');
    await runList(
      { context, session, flags },
      { operation, input: { activityId, fieldId }, shows: 'Labels', table: labelColumns },
    );
  },
);
