import { textArg } from '../../cli/flags/kinds.js';
import { operations } from '../../contract/service.js';
import { defineCommand } from '../../cli/command.js';
import { connectionFlags } from '../../cli/flags/connection.js';
import { outputFlags } from '../../cli/flags/output.js';
import { showProduct } from '../../topics/products/show.js';

export default defineCommand(
  {
    summary: 'Show one product, by its code or Id.',
    description: 'The service gives all products or none: the list is read and the product picked from it.',
    examples: [
      '<%= config.bin %> product get 00001 --profile sandbox',
      '<%= config.bin %> product get 00000000-0060-4000-8000-000000000001 -o json --profile sandbox',
    ],
    args: { product: textArg({ required: true, description: 'Code or Id of the product.' }) },
    flags: { ...connectionFlags, ...outputFlags },
    operations: [operations.ProductGetAll_V2.name],
  },
  ({ args, flags, context }) => showProduct(context, args.product, flags),
);
