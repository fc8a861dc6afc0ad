import { switchFlag } from '../../../cli/flags/define.js';
import { timeOption } from '../../../cli/flags/kinds.js';
import { defineCommand } from '../../../cli/command.js';
import { addFlags } from '../../../topics/mirror/add/sources.js';
import { addEachRelation } from '../../../topics/mirror/add/each-relation.js';

export default defineCommand(
  {
    summary: 'Mirror the marks that relationships carry, by one call for each relation.',
    description:
      'Each sync asks for what changed since the relation was asked for last, and keeps what was there: a mark that is taken ' +
      'away stays in the table relation_marks. The next sync says first how many calls it makes; --rate of it paces them.',
    examples: [
      '<%= config.bin %> mirror add marks --by-relation --profile sandbox',
      '<%= config.bin %> mirror add marks --by-relation --since 2024-01-01 --profile sandbox',
    ],
    args: {},
    flags: {
      'by-relation': switchFlag({ required: true, summary: 'Ask for each relation of the mirror.' }),
      since: timeOption({ summary: 'Only marks that changed since then; all when left out.' }),
      ...addFlags,
    },
  },
  ({ flags, context }) =>
    addEachRelation(context, flags, { kind: 'marks by relation', ids: [], table: 'relation_marks', input: {} }),
);
