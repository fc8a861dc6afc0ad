import { defineCommand } from '../../../cli/command.js';
import { AliasLine, listAliases } from '../../../topics/profiles/field-alias.js';
import { connectionFlags } from '../../../cli/flags/connection.js';
import { outputFlags } from '../../../cli/flags/output.js';

export default defineCommand(
  {
    summary: 'List the names that a profile gives to fields.',
    examples: ['<%= config.bin %> field alias list --profile acceptance'],
    args: {},
    prints: [AliasLine],
    flags: { profile: connectionFlags.profile, ...outputFlags },
  },
  ({ flags, context }) => listAliases(context, flags),
);
