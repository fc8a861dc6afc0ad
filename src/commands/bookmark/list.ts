import { defineCommand } from '../../kit/command.js';
import { connectionFlags, outputFlags } from '../../kit/flags/common.js';
import { BookmarkLine, listBookmarks } from '../../lists/changes-since/bookmarks.js';

export default defineCommand({
  summary: 'List the bookmarks of --changes-since, of one profile or of all.',
  examples: ['<%= config.bin %> bookmark list', '<%= config.bin %> bookmark list --profile sandbox -o json'],
  prints: [BookmarkLine],
  flags: { profile: connectionFlags.profile, ...outputFlags },
  run: ({ flags, context }) => listBookmarks(context, flags),
});
