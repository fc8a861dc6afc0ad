import { defineCommand } from '../../../runtime/command.js';
import { listAliases } from '../../../runtime/field-alias.js';
import { connectionFlags } from '../../../runtime/flags/connection.js';
import { outputFlags } from '../../../runtime/flags/output.js';

export default defineCommand(
  {
    summary: 'List the names that a profile gives to fields.',
    examples: ['<%= config.bin %> field alias list --profile acceptance'],
    args: {},
    flags: { profile: connectionFlags.profile, ...outputFlags },
  },
  ({ flags, context }) => listAliases(context, flags),
);
