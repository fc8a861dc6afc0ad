import { connectionFlags, outputFlags, mirrorFlags } from '../../kit/flags/common.js';
import { defineCommand } from '../../kit/command.js';
import { namesOption, timeOption } from '../../kit/flags/kinds.js';
import { pagingFlags } from '../../lists/list-flags.js';
import { ChangeLine, showChanges } from '../../topics/mirror/changes.js';

export default defineCommand({
  summary: 'List the records that syncs added, changed or deleted since a time.',
  description:
    'A sync counts if it ended then or later, so consecutive runs miss nothing. A record is listed ' +
    'once: as gone, otherwise as added, otherwise as changed. A first sync adds everything.',
  examples: [
    '<%= config.bin %> mirror sync marks --profile sandbox && <%= config.bin %> mirror changes --from today --profile sandbox',
    '<%= config.bin %> mirror sync products --profile sandbox && <%= config.bin %> mirror changes --from -1d --tables products -o csv --profile sandbox',
  ],
  prints: [ChangeLine],
  flags: {
    from: timeOption({ required: true, summary: 'Changes by syncs that ended at this time or later.' }),
    tables: namesOption({ summary: 'Only these tables; the default is all.' }),
    limit: pagingFlags.limit,
    profile: connectionFlags.profile,
    ...mirrorFlags,
    ...outputFlags,
  },
  run: ({ flags, context }) => showChanges(context, flags),
});
