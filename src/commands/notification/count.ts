import { operations } from '../../contract/service.js';
import { userFlag } from '../../cli/flags/values/user.js';
import { userOf } from '../../cli/session.js';
import { recordCommand } from '../../records/command.js';

export default recordCommand({
  operation: operations.NotificationGetCount,
  summary: "Count a user's notifications.",
  examples: [
    '<%= config.bin %> notification count --profile sandbox',
    '<%= config.bin %> notification count --user 00000000-0000-4000-8000-000000000011 -o json --profile sandbox',
  ],
  args: {},
  flags: { user: userFlag },
  request: ({ flags, session }) => ({ userId: userOf(flags.user, session) }),
});
