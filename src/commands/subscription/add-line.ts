import { operations } from '../../contract/service.js';
import { guidArg, wholeOption } from '../../cli/flags/kinds.js';
import { lineFlags, lineOf } from '../../cli/flags/values/product-line.js';
import { writeCommand } from '../../records/command.js';

export default writeCommand({
  operation: operations.SubscriptionAddProductLine,
  summary: 'Add a product line to a subscription.',
  description:
    'Each run adds one more line, and shows the line and the subscription as it is then, in ActivityData. After exit code 9 look at the subscription before you repeat it.',
  examples: [
    '<%= config.bin %> subscription add-line 00000000-0020-4000-8000-000000000003 --product 00000000-0060-4000-8000-000000000001 --quantity 2.5 --amount 12.50 --purchase-amount 9.95 --vat 00000000-0062-4000-8000-000000000001 --period 12 --profile sandbox',
    '<%= config.bin %> subscription add-line 00000000-0020-4000-8000-000000000003 --product 00000000-0060-4000-8000-000000000001 --quantity 1 --amount 100 --purchase-amount 80 --vat 00000000-0062-4000-8000-000000000001 --period 12 --description "As agreed" --dry-run --profile sandbox',
  ],
  args: { id: guidArg('Id of the subscription.') },
  flags: {
    ...lineFlags,
    period: wholeOption({ least: -(2 ** 31), most: 2 ** 31 - 1 })({
      required: true,
      summary: 'Period of the line; its unit is that of the service.',
    }),
  },
  shows: 'ProductLineData',
  beside: ['ActivityData'],
  plan: ({ args, flags }) => ({
    what: `add a product line to ${args.id}`,
    input: { activityId: args.id, ...lineOf(flags), period: flags.period },
  }),
});
