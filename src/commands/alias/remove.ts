import { defineCommand } from '../../cli/command.js';
import { commandAliasArg } from '../../cli/flags/kinds.js';
import { removeAlias } from '../../topics/aliases/aliases.js';

export default defineCommand(
  {
    summary: 'Remove the name of a command line.',
    examples: ['<%= config.bin %> alias set people "relation list --limit 5" && <%= config.bin %> alias remove people'],
    args: { name: commandAliasArg({ required: true, description: 'The name.' }) },
    flags: {},
  },
  ({ args, context }) => removeAlias(context, args.name),
);
