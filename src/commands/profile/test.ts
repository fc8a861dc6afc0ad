import { profileArg } from '../../kit/flags/kinds.js';
import { switchFlag } from '../../kit/flags/define.js';
import { defineCommand } from '../../kit/command.js';
import { FindingRecord } from '../../kit/findings.js';
import { connectionFlags, outputFlags } from '../../kit/flags/common.js';
import { calibrateProfile, probedOperation, testProfile } from '../../topics/profiles/test.js';

export default defineCommand({
  summary: 'Test a profile: does the service answer, does it accept the credentials, how fast is it?',
  description: `Calls ${probedOperation.name} for one row, which changes nothing, and prints each check as ok or a warning; in a table the last line counts them. A failure has the same exit code as in any other command.`,
  examples: [
    '<%= config.bin %> profile test sandbox',
    '<%= config.bin %> profile test sandbox --set soapVersion=1.1',
    '<%= config.bin %> profile test sandbox -o json',
    '<%= config.bin %> profile test sandbox --calibrate',
  ],
  args: { name: profileArg({ description: 'Name of the profile; the default is the one in use.' }) },
  prints: [FindingRecord],
  flags: {
    calibrate: switchFlag({
      default: false,
      summary: 'Measure how the service pages (first page, largest page), and save that in the profile.',
    }),
    ...connectionFlags,
    ...outputFlags,
  },
  operations: [probedOperation.name],
  run: ({ args, flags, context }) => {
    const testFlags = { ...flags, profile: args.name ?? flags.profile };
    return flags.calibrate ? calibrateProfile(context, testFlags) : testProfile(context, testFlags);
  },
});
