import { repeated } from '../../kit/flags/define.js';
import { profileArg, textOption } from '../../kit/flags/kinds.js';
import { defineCommand } from '../../kit/command.js';
import { settingFlags, settingNames } from '../../topics/profiles/setting-flags.js';
import { editProfile } from '../../topics/profiles/edit.js';

export default defineCommand({
  summary: 'Change settings of a profile; in a terminal without flags, relctl asks for them.',
  description: 'Other settings do not change, including those that this version does not know.',
  examples: [
    '<%= config.bin %> profile edit acceptance --set pageSize=500 --set soapVersion=1.1',
    '<%= config.bin %> profile edit acceptance --password-from file:/etc/relctl/password',
    '<%= config.bin %> profile edit acceptance --secret headers.X-Api-Key=env:GATEWAY_KEY --set path=/crm/soap',
    '<%= config.bin %> profile edit acceptance --set allowedValues=ProductType=Bundle,UnitType=Pallet',
    '<%= config.bin %> profile edit acceptance --unset proxy',
  ],
  args: { name: profileArg({ required: true, description: 'Name of the profile.' }) },
  flags: {
    ...settingFlags,
    unset: textOption({
      ...repeated,
      offers: settingNames,
      summary: 'Remove a setting, or one of the headers, such as headers.X-Key; may be repeated.',
      helpValue: 'SETTING',
    }),
  },
  run: ({ args, flags, context }) => editProfile(context, args.name, flags),
});
