import { ProfileLine, listProfiles } from '../../topics/profiles/print.js';
import { defineCommand } from '../../kit/command.js';
import { outputFlags } from '../../kit/flags/common.js';

export default defineCommand({
  summary: 'List the profiles, and which one is the default.',
  examples: ['<%= config.bin %> profile list', '<%= config.bin %> profile list -o json'],
  prints: [ProfileLine],
  flags: outputFlags,
  run: ({ flags, context }) => listProfiles(context, flags),
});
