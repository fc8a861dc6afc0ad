import { textArg } from '../../kit/flags/kinds.js';
import { operations } from '../../contract/service.js';
import { recordCommand } from '../../lists/record/command.js';
import { resolveProduct } from '../../topics/products/find.js';

export default recordCommand({
  operation: operations.ProductGetAll_V2,
  summary: 'Show one product, by its code, Id or name.',
  description: 'The service returns only the whole list of products; relctl reads it and picks the product.',
  examples: [
    '<%= config.bin %> product get 00001 --profile sandbox',
    '<%= config.bin %> product get "Stadsfiets 2" --profile sandbox',
    '<%= config.bin %> product get 00000000-0060-4000-8000-000000000001 -o json --profile sandbox',
  ],
  args: { product: textArg({ required: true, description: 'Code, Id or name of the product.' }) },
  flags: {},
  shows: 'Products',
  request: () => ({}),
  picks: (result, parts) => resolveProduct(result, parts.args.product, parts),
});
