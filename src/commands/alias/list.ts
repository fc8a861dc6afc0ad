import { defineCommand } from '../../cli/command.js';
import { outputFlags } from '../../cli/flags/output.js';
import { AliasOfLine, listAliases } from '../../topics/aliases/aliases.js';

export default defineCommand(
  {
    summary: 'List the aliases: names that stand for command lines.',
    examples: ['<%= config.bin %> alias list', '<%= config.bin %> alias list -o json'],
    args: {},
    prints: [AliasOfLine],
    flags: outputFlags,
  },
  ({ flags, context, config }) => listAliases(context, config, flags),
);
