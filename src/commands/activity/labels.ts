import { operations } from '../../contract/service.js';
import { recordArg } from '../../kit/flags/kinds.js';
import { labelledFieldFlags } from '../../lists/fields/field-flags.js';
import { labelColumns } from '../../kit/output/columns.js';
import { openCatalogue } from '../../lists/fields/look-up.js';
import { listCommand } from '../../lists/command.js';

export default listCommand({
  operation: operations.ActivityGetLabels,
  summary: 'List the labels on a field of an activity.',
  examples: [
    '<%= config.bin %> activity labels 00000000-0020-4000-8000-000000000001 --field 00000000-0041-4000-8000-000000001106 --profile sandbox',
    '<%= config.bin %> activity labels 00000000-0020-4000-8000-000000000001 --field 00000000-0041-4000-8000-000000001106 -o json --profile sandbox',
  ],
  args: { id: recordArg('activity') },
  flags: labelledFieldFlags,
  shows: 'Labels',
  table: labelColumns,
  request: async ({ args, flags, context, session }) => {
    const catalogue = await openCatalogue(context, session, flags);
    return { activityId: args.id, fieldId: catalogue.find(flags.field, '--field').id };
  },
});
