import { defineCommand } from '../../../cli/command.js';
import { setAlias } from '../../../topics/profiles/field-alias.js';
import { connectionFlags } from '../../../cli/flags/connection.js';
import { guidArg, textArg } from '../../../cli/flags/kinds.js';

export default defineCommand(
  {
    summary: 'Give a field a name in a profile, for the --field of every command.',
    examples: ['<%= config.bin %> field alias set Subject 00000000-0041-4000-8000-000000001101 --profile acceptance'],
    args: {
      alias: textArg({ required: true, description: 'The name: one word without =.' }),
      id: guidArg('Id of the field.'),
    },
    flags: { profile: connectionFlags.profile },
  },
  ({ args, flags, context }) => setAlias(context, flags, args),
);
