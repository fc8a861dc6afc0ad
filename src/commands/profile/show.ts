import { PrintedSetting, showProfile } from '../../topics/profiles/print.js';
import { profileArg } from '../../kit/flags/kinds.js';
import { switchFlag } from '../../kit/flags/define.js';
import { defineCommand } from '../../kit/command.js';
import { outputFlags } from '../../kit/flags/common.js';

export default defineCommand({
  summary: 'Show the settings of a profile, secrets masked.',
  description: 'Shows what a command would use, including environment variables and defaults.',
  examples: [
    '<%= config.bin %> profile show sandbox',
    '<%= config.bin %> profile show sandbox --origin',
    '<%= config.bin %> profile show sandbox -o json',
  ],
  args: { name: profileArg({ description: 'Name of the profile; the default is the one in use.' }) },
  prints: [PrintedSetting],
  flags: { ...outputFlags, origin: switchFlag({ summary: 'Show where each value comes from.' }) },
  run: ({ args, flags, context }) => showProfile(context, args.name, flags),
});
