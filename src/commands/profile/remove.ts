import { profileArg } from '../../kit/flags/kinds.js';
import { switchFlag } from '../../kit/flags/define.js';
import { defineCommand } from '../../kit/command.js';
import { removeProfile } from '../../topics/profiles/edit.js';

export default defineCommand({
  summary: 'Delete a profile and its secrets.',
  description:
    'In a terminal, relctl offers to delete its keyring entries that no other profile uses; with --yes they stay. ' +
    'Its mirror and its ledger stay; a note says how to remove the mirror.',
  examples: ['<%= config.bin %> profile remove acceptance --yes'],
  args: { name: profileArg({ required: true, description: 'Name of the profile.' }) },
  flags: { yes: switchFlag({ char: 'y', summary: 'Do not ask.' }) },
  run: ({ args, flags, context }) => removeProfile(context, args.name, flags),
});
