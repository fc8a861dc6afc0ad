import { operations } from '../../contract/service.js';
import { guidArg } from '../../cli/flags/kinds.js';
import { lineFlags, lineOf } from '../../cli/flags/values/product-line.js';
import { writeCommand } from '../../records/command.js';

export default writeCommand({
  operation: operations.ActivityAddProductLine,
  summary: 'Add a product line to an activity.',
  description: 'Each run adds one more line. After exit code 9 look at the activity before you repeat it.',
  examples: [
    '<%= config.bin %> activity add-line 00000000-0020-4000-8000-000000000001 --product 00000000-0060-4000-8000-000000000001 --quantity 2.5 --amount 12.50 --purchase-amount 9.95 --vat 00000000-0062-4000-8000-000000000001 --profile sandbox',
    '<%= config.bin %> activity add-line 00000000-0020-4000-8000-000000000001 --product 00000000-0060-4000-8000-000000000001 --quantity 1 --amount 100 --purchase-amount 80 --vat 00000000-0062-4000-8000-000000000001 --description "As agreed" --dry-run --profile sandbox',
  ],
  args: { id: guidArg('Id of the activity.') },
  flags: lineFlags,
  shows: 'ProductLineData',
  plan: ({ args, flags }) => ({
    what: `add a product line to ${args.id}`,
    input: { activityId: args.id, ...lineOf(flags) },
  }),
});
