import { profileArg } from '../../kit/flags/kinds.js';
import { defineCommand } from '../../kit/command.js';
import { useProfile } from '../../topics/profiles/edit.js';

export default defineCommand({
  summary: 'Make a profile the default.',
  description: '--profile and RELCTL_PROFILE take precedence.',
  examples: ['<%= config.bin %> profile use sandbox'],
  args: { name: profileArg({ required: true, description: 'Name of the profile.' }) },
  flags: {},
  run: ({ args, flags, context }) => useProfile(context, flags, args.name),
});
