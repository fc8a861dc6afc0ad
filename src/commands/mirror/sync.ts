import { defineCommand } from '../../kit/command.js';
import { sourceArg } from '../../kit/flags/kinds.js';
import { SyncLine, syncFlags, syncMirror } from '../../topics/mirror/sync/command.js';

export default defineCommand({
  summary: 'Read lists of the service into the local mirror: all of them, or some tables.',
  description:
    'The mirror is a database of its own for each profile. A sync that is interrupted, by whatever, leaves the mirror as it ' +
    'was, and the next one goes on from its place. A record that is missing is marked as gone when a second reading does ' +
    'not show it either.',
  examples: [
    '<%= config.bin %> mirror sync --profile sandbox',
    '<%= config.bin %> mirror sync relations telephone_book --profile sandbox',
    '<%= config.bin %> mirror sync --max-shrink 10 --lock-wait 10m --quiet -o csv --profile sandbox',
  ],
  args: {
    table: sourceArg({ multiple: true, description: 'A table or a source of the mirror; several may be given.' }),
  },
  prints: [SyncLine],
  flags: syncFlags,
  run: ({ args, flags, context }) => syncMirror(context, args.table ?? [], flags),
});
