import { connectionFlags, outputFlags, mirrorFlags } from '../../kit/flags/common.js';
import { defineCommand } from '../../kit/command.js';
import { showStatus, StatusLine } from '../../topics/mirror/status.js';

export default defineCommand({
  summary: 'Show the sources of the mirror, their rows and their age.',
  examples: [
    '<%= config.bin %> mirror status --profile sandbox',
    '<%= config.bin %> mirror status -o json --profile sandbox',
  ],
  prints: [StatusLine],
  flags: { profile: connectionFlags.profile, ...mirrorFlags, ...outputFlags },
  run: ({ flags, context }) => showStatus(context, flags),
});
