import { defineCommand } from '../../kit/command.js';
import { sourceArg } from '../../kit/flags/kinds.js';
import { SyncLine, syncFlags, syncMirror } from '../../topics/mirror/sync/command.js';

export default defineCommand({
  summary: 'Read lists of the service into the local mirror: all of them, or some tables.',
  description:
    'Each profile has a mirror of its own. An interrupted sync does not change the ' +
    'mirror, and the next one resumes it. relctl marks a missing record as gone if a second reading does ' +
    'not return it either.',
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
