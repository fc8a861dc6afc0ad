import { operations } from '../../contract/service.js';
import { userFlag } from '../../kit/flags/kinds.js';
import { listCommand } from '../../lists/command.js';
import { userOf } from '../../kit/session/session.js';

export default listCommand({
  operation: operations.NotificationsGet,
  summary: "List a user's notifications.",
  examples: [
    '<%= config.bin %> notification list --profile sandbox',
    '<%= config.bin %> notification list --user 00000000-0000-4000-8000-000000000012 -o json --profile sandbox',
  ],
  flags: { user: userFlag },
  shows: 'Notifications',
  table: ['Activity.Id', 'Activity.Info', 'ActivityLocation', 'Activity.Number', 'Id'],
  request: ({ flags, session }) => ({ userId: userOf(flags.user, session) }),
});
