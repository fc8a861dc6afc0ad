import { guidOption } from '../../cli/flags/kinds.js';
import { operations } from '../../contract/service.js';
import { productColumns } from '../../cli/output/columns.js';
import { defineCommand } from '../../cli/command.js';
import { changesFlags } from '../../cli/flags/changes.js';

import { wholeListFlags } from '../../cli/flags/shared.js';
import { runList } from '../../lists/run.js';
import { changesSince } from '../../lists/since/changes-since.js';
import { openSession } from '../../cli/session.js';
import { defined } from '../../plain/defined.js';

const { ProductGetAll_V2, ProductGetAllByGroup } = operations;

export default defineCommand(
  {
    summary: 'List all products, or those of one group.',
    description: 'All products have the member Unit, a number; those of a group the member UnitType, a name.',
    examples: [
      '<%= config.bin %> product list --profile sandbox',
      '<%= config.bin %> product list -o csv --columns Id,Code,Name,SalesPrice --profile sandbox',
      '<%= config.bin %> product list --changes-since prices --columns Id,Code,SalesPrice --profile sandbox',
      '<%= config.bin %> product list --group 00000000-0061-4000-8000-000000000001 --profile sandbox',
    ],
    args: {},
    flags: {
      group: guidOption({ summary: 'Only the products of this group.' }),
      ...changesFlags,
      ...wholeListFlags,
    },
    operations: [ProductGetAll_V2.name, ProductGetAllByGroup.name],
  },
  async ({ flags, context }) => {
    const productGroupId = flags.group === undefined ? undefined : flags.group;
    const session = await openSession(context, flags);
    const { run, plan } = await changesSince({ context, session, flags }, flags, {
      operation: productGroupId === undefined ? ProductGetAll_V2 : ProductGetAllByGroup,
      input: defined({ productGroupId }),
      shows: 'Products',
      table: productColumns,
    });
    await runList(run, plan);
  },
);
