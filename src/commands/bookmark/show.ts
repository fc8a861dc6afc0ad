import { textArg } from '../../cli/flags/kinds.js';
import { defineCommand } from '../../cli/command.js';
import { connectionFlags } from '../../cli/flags/connection.js';
import { outputFlags } from '../../cli/flags/output.js';
import { showBookmark } from '../../lists/since/bookmarks.js';

export default defineCommand(
  {
    summary: 'Show a bookmark or snapshot: its time, and the job that it belongs to.',
    examples: ['<%= config.bin %> bookmark show nightly --profile sandbox'],
    args: { name: textArg({ required: true, description: 'Name of the job.' }) },
    flags: { profile: connectionFlags.profile, ...outputFlags },
  },
  ({ args, flags, context }) => showBookmark(context, args.name, flags),
);
