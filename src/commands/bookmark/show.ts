import { bookmarkArg } from '../../cli/flags/kinds.js';
import { defineCommand } from '../../cli/command.js';
import { connectionFlags } from '../../cli/flags/connection.js';
import { outputFlags } from '../../cli/flags/output.js';
import { showBookmark, ShownBookmark } from '../../lists/since/bookmarks.js';

export default defineCommand(
  {
    summary: 'Show a bookmark or snapshot: its time, and the job that it belongs to.',
    examples: ['<%= config.bin %> bookmark show nightly --profile sandbox'],
    args: { name: bookmarkArg({ required: true, description: 'Name of the job.' }) },
    prints: [ShownBookmark],
    flags: { profile: connectionFlags.profile, ...outputFlags },
  },
  ({ args, flags, context }) => showBookmark(context, args.name, flags),
);
