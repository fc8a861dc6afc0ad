import { textArg } from '../../kit/flags/kinds.js';
import { operations } from '../../contract/service.js';
import { productFlags } from '../../topics/products/product-flags.js';
import { bulkCommand } from '../../writes/command.js';
import { baseFlags, settleFlag } from '../../writes/flags.js';
import { changesOfFlags, planProductUpdate } from '../../topics/products/update.js';

export default bulkCommand({
  operation: operations.ProductUpdate_V2,
  reads: [operations.ProductGetAll_V2],
  summary: 'Change what is named of a product, by its code, Id or name.',
  description:
    'The service takes the whole product: it is read, changed, and sent back with every other field untouched, digit ' +
    'for digit. The difference is shown and asked about. Once you have answered, the product is read ' +
    'again: when somebody changed it meanwhile nothing is sent, and the exit code is 13. The service offers no lock, so ' +
    'what changes between that read and the write is overwritten. Afterwards the product is read back: exit code 9 when ' +
    'something else is there than was sent. Each read is one call of ProductGetAll_V2, which brings all products: two ' +
    'with --yes, three with a question. The same command may be repeated. With --dry-run and --envelope the product ' +
    'is read once, and nothing is written.',
  examples: [
    '<%= config.bin %> product update 00001 --sales-price 12.75 --yes --profile sandbox',
    '<%= config.bin %> product update 00000000-0060-4000-8000-000000000001 --name "City bike" --is-inactive false --yes --profile sandbox',
    '<%= config.bin %> product update 00001 --purchase-price 9.95 --dry-run --profile sandbox',
    '<%= config.bin %> product update 00001 --purchase-price 9.95 --envelope --profile sandbox',
    'printf "Code,SalesPrice\\n00001,12.75\\n" > prices.csv && <%= config.bin %> product update --file prices.csv --no-base --yes --profile sandbox',
  ],
  args: { product: textArg({ required: true, description: 'Code, Id or name of the product.' }) },
  flags: productFlags,
  prepare: changesOfFlags,
  plan: planProductUpdate,
  rowFlags: { ...baseFlags, ...settleFlag },
  rows: async () => (await import('../../topics/products/rows.js')).productRows,
});
