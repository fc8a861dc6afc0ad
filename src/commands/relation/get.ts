import { operations } from '../../contract/service.js';
import { guidArg, guidOf } from '../../runtime/flags/guid.js';
import { includeFlags, includesOf } from '../../runtime/flags/include.js';
import { recordCommand } from '../../runtime/record-command.js';

export default recordCommand({
  operation: operations.RelationGet,
  summary: 'Show one relation: a person or an organisation.',
  examples: [
    '<%= config.bin %> relation get 00000000-0000-4000-8000-000000000101 --profile sandbox',
    '<%= config.bin %> relation get 00000000-0000-4000-8000-000000000101 --include-fields -o json --profile sandbox',
  ],
  args: { id: guidArg('Id of the relation.') },
  flags: includeFlags,
  shows: 'Relation',
  beside: ['Counters'],
  request: ({ args, flags }) => ({ relationId: guidOf(args.id, 'ID'), ...includesOf(flags) }),
});
