import { defineCommand } from '../../cli/command.js';
import { connectionFlags } from '../../cli/flags/connection.js';
import { switchFlag } from '../../cli/flags/define.js';
import { guidArg, textArg } from '../../cli/flags/kinds.js';
import { kindArg } from '../../cli/flags/values/name-kind.js';
import { setName } from '../../topics/profiles/names.js';

export default defineCommand(
  {
    summary: 'Give an id a name, for every flag and argument that takes an id of its kind.',
    description:
      'The name is kept in the profile. It may have spaces; the case of letters does not matter. A GUID always means ' +
      'itself, so no name may look like one. A name of kind field is an alias, as of field alias set.',
    examples: [
      '<%= config.bin %> name set workflow Sales 00000000-0030-4000-8000-000000000001 --profile sandbox',
      '<%= config.bin %> name set user "Jan de Vries" 00000000-0000-4000-8000-000000000011 --profile sandbox',
      '<%= config.bin %> name set vat-rate high 00000000-0062-4000-8000-000000000001 --force --profile sandbox',
    ],
    args: {
      kind: kindArg,
      name: textArg({ required: true, description: 'The name.' }),
      id: guidArg('Id of the record.'),
    },
    flags: {
      profile: connectionFlags.profile,
      force: switchFlag({ summary: 'Replace a name that means another id.' }),
    },
  },
  ({ args, flags, context }) => setName(context, flags, args),
);
