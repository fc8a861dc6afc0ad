import { operations } from '../../contract/service.js';
import { changesFlags, forEditFlags } from '../../lists/list-flags.js';
import { idOption } from '../../kit/flags/kinds.js';
import { productColumns } from '../../kit/output/columns.js';
import { plannedListCommand } from '../../lists/command.js';
import { defined } from '../../core/values/value.js';

const { ProductGetAll_V2, ProductGetAllByGroup } = operations;

export default plannedListCommand({
  operations: [ProductGetAll_V2, ProductGetAllByGroup],
  summary: 'List all products, or those of one group.',
  description: 'All products have the member Unit, a number; those of a group the member UnitType, a name.',
  examples: [
    '<%= config.bin %> product list --profile sandbox',
    '<%= config.bin %> product list -o csv --columns Id,Code,Name,SalesPrice --profile sandbox',
    '<%= config.bin %> product list --changes-since prices --columns Id,Code,SalesPrice --profile sandbox',
    '<%= config.bin %> product list --for-edit --output-file products.xlsx --profile sandbox',
    '<%= config.bin %> product list --group 00000000-0061-4000-8000-000000000001 --profile sandbox',
  ],
  flags: {
    group: idOption('group')({ summary: 'Only the products of this group.' }),
    ...forEditFlags,
    ...changesFlags,
  },
  forEdit: async (plan) => (await import('../../topics/products/for-edit.js')).editedProducts(plan),
  plan: ({ flags }) => ({
    operation: flags.group === undefined ? ProductGetAll_V2 : ProductGetAllByGroup,
    input: defined({ productGroupId: flags.group }),
    shows: 'Products',
    table: productColumns,
  }),
});
