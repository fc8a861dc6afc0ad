import { textArg } from '../../kit/flags/kinds.js';
import { switchFlag } from '../../kit/flags/define.js';
import { defineCommand } from '../../kit/command.js';
import { settingFlags } from '../../topics/profiles/setting-flags.js';
import { addProfile } from '../../topics/profiles/edit.js';

export default defineCommand({
  summary: 'Save the address and credentials of a service under a name.',
  description:
    'In a terminal, relctl asks for missing values, and offers to test and calibrate the profile. Secrets never ' +
    'appear in a command line: they come from a prompt, from stdin, or from a reference to where they are stored. A prompt ' +
    'offers the keyring of the machine, if there is one. With --base-url and --namespace, relctl asks nothing.',
  examples: [
    '<%= config.bin %> profile add local --base-url http://127.0.0.1:8050 --namespace http://relctl.example/sandbox --api-key-from env:CRM_KEY',
    'printf "%s\\n" "$CRM_KEY" | <%= config.bin %> profile add acceptance --base-url https://crm.example --namespace http://crm.example/api --api-key-stdin',
  ],
  args: { name: textArg({ required: true, description: 'Name of the profile: letters, digits, and . _ - @' }) },
  flags: { ...settingFlags, use: switchFlag({ summary: 'Make it the default profile.' }) },
  run: ({ args, flags, context }) => addProfile(context, args.name, flags),
});
