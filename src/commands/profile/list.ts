import { defineCommand } from '../../runtime/command.js';
import { outputFlags } from '../../runtime/flags/output.js';
import { listProfiles } from '../../runtime/profile-print.js';

export default defineCommand(
  {
    summary: 'List the profiles, and which of them is in use.',
    examples: ['<%= config.bin %> profile list', '<%= config.bin %> profile list -o json'],
    args: {},
    flags: outputFlags,
  },
  ({ flags, context }) => listProfiles(context, flags),
);
