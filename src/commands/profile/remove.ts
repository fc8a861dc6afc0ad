import { profileArg } from '../../kit/flags/kinds.js';
import { switchFlag } from '../../kit/flags/define.js';
import { defineCommand } from '../../kit/command.js';
import { removeProfile } from '../../topics/profiles/edit.js';

export default defineCommand({
  summary: 'Delete a profile and the secrets kept in it.',
  description:
    'In a terminal it offers to clear what it had in the keyring and no other profile uses; --yes leaves it there. ' +
    'Its mirror stays, and a note says how that is removed; so does the ledger of its writes.',
  examples: ['<%= config.bin %> profile remove acceptance --yes'],
  args: { name: profileArg({ required: true, description: 'Name of the profile.' }) },
  flags: { yes: switchFlag({ char: 'y', summary: 'Do not ask.' }) },
  run: ({ args, flags, context }) => removeProfile(context, args.name, flags),
});
