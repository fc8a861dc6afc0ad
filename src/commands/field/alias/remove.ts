import { aliasArg } from '../../../cli/flags/kinds.js';
import { defineCommand } from '../../../cli/command.js';
import { removeAlias } from '../../../topics/profiles/field-alias.js';
import { connectionFlags } from '../../../cli/flags/connection.js';

export default defineCommand(
  {
    summary: 'Remove the name of a field from a profile.',
    examples: ['<%= config.bin %> field alias remove Subject --profile acceptance'],
    args: { alias: aliasArg({ required: true, description: 'The name.' }) },
    flags: { profile: connectionFlags.profile },
  },
  ({ args, flags, context }) => removeAlias(context, flags, args.alias),
);
