import { operations } from '../../contract/service.js';
import { defineCommand } from '../../kit/command.js';
import { connectionFlags, outputFlags, withNamesFlags } from '../../kit/flags/common.js';
import { textArg } from '../../kit/flags/kinds.js';
import { openSession } from '../../kit/session/session.js';
import { printedType, runCall } from '../../lists/record/call.js';
import { resolveProduct } from '../../topics/products/find.js';

const call = { operation: operations.ProductGetAll_V2, input: {}, shows: 'Products' };

export default defineCommand({
  operations: [call.operation.name],
  summary: 'Show one product, by its code, Id or name.',
  description: 'The service returns only the whole list of products; relctl reads it and picks the product.',
  examples: [
    '<%= config.bin %> product get 00001 --profile sandbox',
    '<%= config.bin %> product get "Stadsfiets 2" --profile sandbox',
    '<%= config.bin %> product get 00000000-0060-4000-8000-000000000001 -o json --profile sandbox',
  ],
  args: { product: textArg({ required: true, description: 'Code, Id or name of the product.' }) },
  flags: { ...connectionFlags, ...outputFlags, ...withNamesFlags },
  prints: () => [printedType(call)],
  run: async (parsed) => {
    const run = { ...parsed, session: await openSession(parsed.context, parsed.flags) };
    await runCall(run, { ...call, picks: (result) => resolveProduct(result, parsed.args.product, run) });
  },
});
