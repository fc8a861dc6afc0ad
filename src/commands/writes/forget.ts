import { switchFlag } from '../../kit/flags/define.js';
import { connectionFlags } from '../../kit/flags/common.js';
import { defineCommand } from '../../kit/command.js';
import { forgetWrites } from '../../topics/writes/show.js';

export default defineCommand({
  summary: 'Remove the ledger of a profile, and with it what is known of records that were written.',
  description: 'Journals and results of batches stay where they are. The service is not called.',
  examples: ['<%= config.bin %> writes forget --yes --profile sandbox'],
  flags: { profile: connectionFlags.profile, yes: switchFlag({ char: 'y', summary: 'Do not ask.' }) },
  run: ({ flags, context }) => forgetWrites(context, flags),
});
