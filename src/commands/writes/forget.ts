import { switchFlag } from '../../kit/flags/define.js';
import { connectionFlags } from '../../kit/flags/common.js';
import { defineCommand } from '../../kit/command.js';
import { forgetWrites } from '../../topics/writes/show.js';

export default defineCommand({
  summary: 'Remove the ledger of a profile, with all that it has on past writes.',
  description: 'Journals and results of batches stay. Calls no service.',
  examples: ['<%= config.bin %> writes forget --yes --profile sandbox'],
  flags: { profile: connectionFlags.profile, yes: switchFlag({ char: 'y', summary: 'Do not ask.' }) },
  run: ({ flags, context }) => forgetWrites(context, flags),
});
