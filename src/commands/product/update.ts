import { exitWords } from '../../core/errors/kinds.js';
import { textArg } from '../../kit/flags/kinds.js';
import { operations } from '../../contract/service.js';
import { productFlags } from '../../topics/products/product-flags.js';
import { writeCommand } from '../../writes/command.js';
import { baseFlags, settleFlag } from '../../writes/flags.js';
import { changesOfFlags, planProductUpdate } from '../../topics/products/update.js';

export default writeCommand({
  operation: operations.ProductUpdate_V2,
  reads: [operations.ProductGetAll_V2],
  summary: 'Change a product, by its code, Id or name.',
  description:
    'The service expects the whole product: relctl reads it, changes it, and sends it back with all other fields unchanged, digit ' +
    'for digit. It prints the changes and asks. After your answer, it reads the product ' +
    `again: if somebody changed it in the meantime, relctl sends nothing and ends with ${exitWords('conflict')}. The service has no locks, so ` +
    `the write overwrites changes after that read. Then relctl reads the product back: ${exitWords('outcome-unknown')} if ` +
    'the product is not what relctl sent. Each read is one call of ProductGetAll_V2, which returns all products: two ' +
    'with --yes, three with a question. You can repeat the command safely. With --dry-run and --envelope, relctl reads the product ' +
    'once, and writes nothing.',
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
