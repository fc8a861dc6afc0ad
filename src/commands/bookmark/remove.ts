import { bookmarkArg } from '../../kit/flags/kinds.js';
import { defineCommand } from '../../kit/command.js';
import { connectionFlags } from '../../kit/flags/common.js';
import { removeBookmark } from '../../lists/changes-since/bookmarks.js';

export default defineCommand({
  summary: 'Remove a bookmark of --changes-since: the next run with its name is a first run.',
  examples: [
    '<%= config.bin %> product list --changes-since nightly -o csv --profile sandbox && <%= config.bin %> bookmark remove nightly --profile sandbox',
  ],
  args: { name: bookmarkArg({ required: true, description: 'Name of the job.' }) },
  flags: { profile: connectionFlags.profile },
  run: ({ args, flags, context }) => removeBookmark(context, args.name, flags),
});
