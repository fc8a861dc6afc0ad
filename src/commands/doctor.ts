import { FindingRecord } from '../kit/findings.js';
import { defineCommand } from '../kit/command.js';
import { examine } from '../topics/doctor/doctor.js';
import { connectionFlags, outputFlags } from '../kit/flags/common.js';

export default defineCommand({
  summary: 'Check this machine: files, folders, secrets, proxy, sandbox, terminal. Calls no service.',
  description:
    'Each check is ok, wrong, or skipped because it depends on a wrong one; the last line counts them and says what to do first. ' +
    'The exit code is that of the first wrong check. `profile test` checks the service, `whoami` prints which one it is.',
  examples: ['<%= config.bin %> doctor --profile sandbox', '<%= config.bin %> doctor --profile sandbox -o json'],
  prints: [FindingRecord],
  flags: { profile: connectionFlags.profile, ...outputFlags },
  run: (input) => examine(input),
});
