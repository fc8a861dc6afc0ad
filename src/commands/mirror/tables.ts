import { connectionFlags } from '../../cli/flags/connection.js';
import { defineCommand } from '../../cli/command.js';
import { textArg } from '../../cli/flags/kinds.js';
import { mirrorFlags } from '../../cli/flags/mirror.js';
import { outputFlags } from '../../cli/flags/output.js';
import { showTables, TableLine, ColumnLine } from '../../topics/mirror/tables.js';

export default defineCommand(
  {
    summary: 'List the tables of the mirror with a query for each, or the columns of one.',
    description: 'The service is not called. Without a mirror it says which tables there will be.',
    examples: [
      '<%= config.bin %> mirror tables --profile sandbox',
      '<%= config.bin %> mirror tables relations --profile sandbox',
      '<%= config.bin %> mirror tables --columns Table,Query --profile sandbox',
    ],
    args: { name: textArg({ description: 'The table whose columns are listed.' }) },
    prints: [TableLine, ColumnLine],
    flags: { profile: connectionFlags.profile, ...mirrorFlags, ...outputFlags },
  },
  ({ args, flags, context }) => showTables(context, args.name, flags),
);
