import { connectionFlags, outputFlags } from '../../kit/flags/common.js';
import { choiceOption, textOption, timeOption } from '../../kit/flags/kinds.js';
import { pagingFlags } from '../../kit/flags/lists/list.js';
import { defineCommand } from '../../kit/command.js';
import { listWrites, WriteLine, writeOutcomes } from '../../topics/writes/list.js';

export default defineCommand({
  summary: 'List what was written through a profile, the newest first.',
  description:
    'Every write of this machine and user is in the ledger of its profile, unless the setting ledger says otherwise. ' +
    'The service is not called.',
  examples: [
    '<%= config.bin %> product update 00001 --sales-price 12.75 --yes --profile sandbox && <%= config.bin %> writes list --limit 1 --profile sandbox',
    '<%= config.bin %> writes list --since today --outcome unknown -o csv --profile sandbox',
  ],
  prints: [WriteLine],
  flags: {
    profile: connectionFlags.profile,
    since: timeOption({ summary: 'Only writes that were begun at this time or later.' }),
    outcome: choiceOption(writeOutcomes)({ summary: 'Only writes that ended so.', helpValue: 'OUTCOME' }),
    operation: textOption({ summary: 'Only writes by this operation.', helpValue: 'NAME' }),
    limit: pagingFlags.limit,
    ...outputFlags,
  },
  run: ({ flags, context }) => listWrites(context, flags),
});
