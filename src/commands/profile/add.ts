import { textArg } from '../../kit/flags/kinds.js';
import { switchFlag } from '../../kit/flags/define.js';
import { defineCommand } from '../../kit/command.js';
import { settingFlags } from '../../topics/profiles/setting-flags.js';
import { addProfile } from '../../topics/profiles/add.js';

export default defineCommand({
  summary: 'Save the address and the credentials of a service under a name.',
  description:
    'In a terminal, what is not given is asked for, and at the end the profile can be tested and calibrated. Secrets never ' +
    'stand in a command: they come from a prompt, from stdin, or stay where they are and are named by a reference. A prompt ' +
    'offers the keyring of the machine, where there is one. With --base-url and --namespace nothing is asked.',
  examples: [
    '<%= config.bin %> profile add local --base-url http://127.0.0.1:8050 --namespace http://relctl.example/sandbox --api-key-from env:CRM_KEY',
    'printf "%s\\n" "$CRM_KEY" | <%= config.bin %> profile add acceptance --base-url https://crm.example --namespace http://crm.example/api --api-key-stdin',
  ],
  args: { name: textArg({ required: true, description: 'Name of the profile: letters, digits, and . _ - @' }) },
  flags: { ...settingFlags, use: switchFlag({ summary: 'Use it when no other profile is named.' }) },
  run: ({ args, flags, context }) => addProfile(context, args.name, flags),
});
