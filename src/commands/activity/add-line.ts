import { exitWords } from '../../core/errors/kinds.js';
import { operations } from '../../contract/service.js';
import { recordArg } from '../../kit/flags/kinds.js';
import { lineFlags, lineWords, planLine } from '../../topics/products/line.js';
import { writeCommand } from '../../writes/command.js';
import { settleFlag } from '../../writes/flags.js';

export default writeCommand({
  operation: operations.ActivityAddProductLine,
  reads: [operations.ProductGetAll_V2],
  summary: 'Add a product line to an activity.',
  description: `Each run adds one more line. After ${exitWords('outcome-unknown')}, check the activity before you repeat the command. ${lineWords}`,
  examples: [
    '<%= config.bin %> activity add-line 00000000-0020-4000-8000-000000000001 --product 00001 --quantity 2 --profile sandbox',
    '<%= config.bin %> activity add-line 00000000-0020-4000-8000-000000000001 --product 00000000-0060-4000-8000-000000000001 --quantity 2.5 --amount 12.50 --purchase-amount 9.95 --vat 00000000-0062-4000-8000-000000000001 --profile sandbox',
    '<%= config.bin %> activity add-line 00000000-0020-4000-8000-000000000001 --product 00000000-0060-4000-8000-000000000001 --quantity 1 --amount 100 --purchase-amount 80 --vat 00000000-0062-4000-8000-000000000001 --description "As agreed" --dry-run --profile sandbox',
    'printf "id,product,quantity\\n00000000-0020-4000-8000-000000000001,00001,2\\n" > lines.csv && <%= config.bin %> activity add-line --file lines.csv --yes --profile sandbox',
  ],
  args: { id: recordArg('activity') },
  flags: lineFlags,
  shows: 'ProductLineData',
  plan: (parts) => planLine(parts, (line) => ({ activityId: parts.args.id, ...line })),
  rowFlags: settleFlag,
  rows: async () => (await import('../../topics/products/line-rows.js')).activityLineRows,
});
