import { bookmarkArg, textArg } from '../../cli/flags/kinds.js';
import { defineCommand } from '../../cli/command.js';
import { connectionFlags } from '../../cli/flags/connection.js';
import { setBookmark } from '../../lists/since/bookmarks.js';

export default defineCommand(
  {
    summary: 'Move a bookmark, to read a period again or to skip one; or make one before its first run.',
    description: 'What was written since then comes again. The time is by the clock of the service.',
    examples: [
      '<%= config.bin %> bookmark set nightly 2026-01-31T09:30 --profile sandbox',
      '<%= config.bin %> bookmark set nightly -2h --profile sandbox',
    ],
    args: {
      name: bookmarkArg({ required: true, description: 'Name of the job.' }),
      time: textArg({
        required: true,
        description: 'A time, a date (its midnight), now, today, yesterday, -7d, -2h.',
      }),
    },
    flags: { profile: connectionFlags.profile },
  },
  ({ args, flags, context }) => setBookmark(context, args, flags),
);
