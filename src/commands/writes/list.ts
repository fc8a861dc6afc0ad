import { connectionFlags, outputFlags } from '../../kit/flags/common.js';
import { timeOption } from '../../kit/flags/kinds.js';
import { pagingFlags } from '../../lists/list-flags.js';
import { defineCommand } from '../../kit/command.js';
import { listWrites, WriteLine } from '../../topics/writes/show.js';

export default defineCommand({
  summary: 'List the writes of a profile, the newest first.',
  description:
    'The ledger of a profile has every write of this machine and user, unless you turn it off with the setting ledger. ' +
    'Calls no service.',
  examples: [
    '<%= config.bin %> product update 00001 --sales-price 12.75 --yes --profile sandbox && <%= config.bin %> writes list --limit 1 --profile sandbox',
    `<%= config.bin %> writes list --from today --where "Outcome = 'unknown'" -o csv --profile sandbox`,
  ],
  prints: [WriteLine],
  flags: {
    profile: connectionFlags.profile,
    from: timeOption({ summary: 'Only writes that began at this time or later.' }),
    limit: pagingFlags.limit,
    ...outputFlags,
  },
  run: ({ flags, context }) => listWrites(context, flags),
});
