import { profileArg } from '../../kit/flags/kinds.js';
import { switchFlag } from '../../kit/flags/define.js';
import { defineCommand } from '../../kit/command.js';
import { FindingRecord } from '../../kit/findings.js';
import { connectionFlags, outputFlags } from '../../kit/flags/common.js';
import { probedList } from '../../lists/of-operation/list.js';
import { calibrateProfile, probedOperation, testProfile } from '../../topics/profiles/test.js';

export default defineCommand({
  summary: 'Call the service of a profile: is it there, does it take the credentials, how fast is it?',
  description: `Calls ${probedOperation.name} for one row, which changes nothing, and prints checks that are ok or a warning; for people the last line counts them. A failure has the exit code that any other command would have.`,
  examples: [
    '<%= config.bin %> profile test sandbox',
    '<%= config.bin %> profile test sandbox --set soapVersion=1.1',
    '<%= config.bin %> profile test sandbox -o json',
    '<%= config.bin %> profile test sandbox --calibrate',
  ],
  args: { name: profileArg({ description: 'Name of the profile; the one in use when left out.' }) },
  prints: [FindingRecord],
  flags: {
    calibrate: switchFlag({
      default: false,
      summary: 'Find out how the service pages (first page, largest page), and keep it in the profile.',
    }),
    ...connectionFlags,
    ...outputFlags,
  },
  operations: [probedOperation.name],
  run: ({ args, flags, context }) => {
    const testFlags = { ...flags, profile: args.name ?? flags.profile };
    return flags.calibrate ? calibrateProfile(context, testFlags, probedList) : testProfile(context, testFlags);
  },
});
