import { connectionFlags } from '../../cli/flags/connection.js';
import { defineCommand } from '../../cli/command.js';
import { forgetFlags, mirrorFlags, mirrorLockFlags } from '../../cli/flags/mirror.js';
import { forgetMirror } from '../../topics/mirror/status.js';

export default defineCommand(
  {
    summary: 'Remove the mirror: the database, its journal, and all that was kept in them.',
    description:
      'The service is not called. In a terminal it asks first; in a script, and with --no-input, it does not.',
    examples: ['<%= config.bin %> mirror forget --yes --profile sandbox'],
    args: {},
    flags: { profile: connectionFlags.profile, ...mirrorFlags, ...mirrorLockFlags, ...forgetFlags },
  },
  ({ flags, context }) => forgetMirror(context, flags),
);
