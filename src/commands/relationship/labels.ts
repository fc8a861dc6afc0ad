import { operations } from '../../contract/service.js';
import { recordArg } from '../../kit/flags/kinds.js';
import { labelledFieldFlags } from '../../lists/fields/field-flags.js';
import { labelColumns } from '../../kit/output/columns.js';
import { openCatalogue } from '../../lists/fields/look-up.js';
import { listCommand } from '../../lists/command.js';

export default listCommand({
  operation: operations.RelationshipFieldGetLabels,
  summary: 'List the labels on a field of a relationship.',
  examples: [
    '<%= config.bin %> relationship labels 00000000-0011-4000-8000-000000000002 --field 00000000-0041-4000-8000-000000000303 --profile sandbox',
    '<%= config.bin %> relationship labels 00000000-0011-4000-8000-000000000002 --field 00000000-0041-4000-8000-000000000303 -o json --profile sandbox',
  ],
  args: { id: recordArg('relationship') },
  flags: labelledFieldFlags,
  shows: 'Labels',
  table: labelColumns,
  request: async ({ args, flags, context, session }) => {
    const catalogue = await openCatalogue(context, session, flags);
    return { relationshipId: args.id, fieldId: catalogue.find(flags.field, '--field').id };
  },
});
