import { ProfileLine, listProfiles } from '../../topics/profiles/print.js';
import { defineCommand } from '../../cli/command.js';
import { outputFlags } from '../../cli/flags/common.js';

export default defineCommand({
  summary: 'List the profiles, and which of them is in use.',
  examples: ['<%= config.bin %> profile list', '<%= config.bin %> profile list -o json'],
  prints: [ProfileLine],
  flags: outputFlags,
  run: ({ flags, context }) => listProfiles(context, flags),
});
