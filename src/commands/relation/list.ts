import { operations } from '../../contract/service.js';
import { relationColumns } from '../../kit/output/columns.js';
import { changesFlags, includeFlags, includesOf } from '../../lists/list-flags.js';
import { listCommand } from '../../lists/command.js';

export default listCommand({
  operation: operations.RelationGetAll,
  summary: 'List all relations: persons and organisations.',
  description: 'relctl reads the whole list, page by page, unless you set --limit or --page.',
  examples: [
    '<%= config.bin %> relation list --profile sandbox',
    '<%= config.bin %> relation list --limit 10 --columns Id,DisplayName --profile sandbox',
    '<%= config.bin %> relation list -o csv --profile sandbox > relations.csv',
    '<%= config.bin %> relation list --include-fields -o csv --output-file relations-with-fields.csv --profile sandbox',
    '<%= config.bin %> relation list --changes-since crm-relations -o csv --profile sandbox',
    '<%= config.bin %> relation list --page 2 --page-size 25 -o json --profile sandbox',
  ],
  flags: { ...includeFlags, ...changesFlags },
  shows: 'Relations',
  table: relationColumns,
  request: ({ flags }) => includesOf(flags),
});
