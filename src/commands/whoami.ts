import { exitWords } from '../core/errors/kinds.js';
import { defineCommand } from '../kit/command.js';
import { connectionFlags, outputFlags } from '../kit/flags/common.js';
import { whoAmI, WhoAmI } from '../topics/profiles/print.js';

export default defineCommand({
  summary: 'Show which service, database and user the next command would use.',
  description: `Calls no service. Without credentials, it ends with ${exitWords('profile')}.`,
  examples: ['<%= config.bin %> whoami --profile sandbox', '<%= config.bin %> whoami -o json --profile sandbox'],
  prints: [WhoAmI],
  flags: { profile: connectionFlags.profile, set: connectionFlags.set, ...outputFlags },
  run: ({ flags, context }) => whoAmI(context, flags),
});
