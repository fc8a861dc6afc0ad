import { profileArg } from '../../kit/flags/kinds.js';
import { defineCommand } from '../../kit/command.js';
import { useProfile } from '../../topics/profiles/edit.js';

export default defineCommand({
  summary: 'Use a profile when no other is named.',
  description: '--profile and RELCTL_PROFILE come first.',
  examples: ['<%= config.bin %> profile use sandbox'],
  args: { name: profileArg({ required: true, description: 'Name of the profile.' }) },
  flags: {},
  run: ({ args, flags, context }) => useProfile(context, flags, args.name),
});
