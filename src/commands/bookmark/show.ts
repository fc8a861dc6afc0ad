import { textArg } from '../../cli/flags/kinds.js';
import { defineCommand } from '../../cli/command.js';
import { connectionFlags } from '../../cli/flags/connection.js';
import { outputFlags } from '../../cli/flags/output.js';
import { showBookmark } from '../../lists/since/bookmarks.js';

export default defineCommand(
  {
    summary: 'Show a bookmark or snapshot: where it stands, and the job that it is of.',
    examples: ['<%= config.bin %> bookmark show nightly --profile sandbox'],
    args: { name: textArg({ required: true, description: 'Name of the job.' }) },
    flags: { profile: connectionFlags.profile, ...outputFlags },
  },
  ({ args, flags, context }) => showBookmark(context, args.name, flags),
);
