import { Args } from '@oclif/core';
import { defineCommand } from '../../runtime/command.js';
import { connectionFlags } from '../../runtime/flags/connection.js';
import { outputFlags } from '../../runtime/flags/output.js';
import { probedOperation, testProfile } from '../../runtime/profile-test.js';

export default defineCommand(
  {
    summary: 'Call the service of a profile: is it there, does it take the credentials, how fast is it?',
    description: `Calls ${probedOperation.name} for one row, which changes nothing, and shows what answered. A failure has the exit code that any other command would have.`,
    examples: [
      '<%= config.bin %> profile test sandbox',
      '<%= config.bin %> profile test sandbox --soap 1.1',
      '<%= config.bin %> profile test sandbox -o json',
    ],
    args: { name: Args.string({ description: 'Name of the profile; the one in use when left out.' }) },
    flags: { ...connectionFlags, ...outputFlags },
    operations: [probedOperation.name],
  },
  ({ args, flags, context }) => testProfile(context, args.name, flags),
);
