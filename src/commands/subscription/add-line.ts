import { exitWords } from '../../core/errors/kinds.js';
import { operations } from '../../contract/service.js';
import { recordArg, wholeOption } from '../../kit/flags/kinds.js';
import { lineFlags, lineWords, planLine } from '../../topics/products/line.js';
import { writeCommand } from '../../writes/command.js';
import { settleFlag } from '../../writes/flags.js';

export default writeCommand({
  operation: operations.SubscriptionAddProductLine,
  reads: [operations.ProductGetAll_V2],
  summary: 'Add a product line to a subscription.',
  description:
    `Each run adds one more line, and prints the line and the changed subscription, in ActivityData. After ${exitWords('outcome-unknown')}, check the subscription before you repeat the command. ` +
    lineWords,
  examples: [
    '<%= config.bin %> subscription add-line 00000000-0020-4000-8000-000000000003 --product 00001 --quantity 2 --period 12 --profile sandbox',
    '<%= config.bin %> subscription add-line 00000000-0020-4000-8000-000000000003 --product 00001 --quantity 2.5 --amount 12.50 --purchase-amount 9.95 --vat 00000000-0062-4000-8000-000000000001 --period 12 --profile sandbox',
    '<%= config.bin %> subscription add-line 00000000-0020-4000-8000-000000000003 --product 00000000-0060-4000-8000-000000000001 --quantity 1 --amount 100 --purchase-amount 80 --vat 00000000-0062-4000-8000-000000000001 --period 12 --description "As agreed" --dry-run --profile sandbox',
    'printf "id,product,quantity\\n00000000-0020-4000-8000-000000000003,00001,2\\n" > periods.csv && <%= config.bin %> subscription add-line --file periods.csv --period 12 --yes --profile sandbox',
  ],
  args: { id: recordArg('activity', 'subscription') },
  flags: {
    ...lineFlags,
    period: wholeOption({ least: -(2 ** 31), most: 2 ** 31 - 1 })({
      required: true,
      summary: 'Period of the line, in the unit of the service.',
    }),
  },
  shows: 'ProductLineData',
  beside: ['ActivityData'],
  plan: (parts) => planLine(parts, (line) => ({ activityId: parts.args.id, ...line, period: parts.flags.period })),
  rowFlags: settleFlag,
  rows: async () => (await import('../../topics/products/line-rows.js')).subscriptionLineRows,
});
