import { includeFlags, includesOf } from '../../../cli/flags/include.js';
import { defineCommand } from '../../../cli/command.js';
import { addFlags, includeInSource } from '../../../topics/mirror/add/sources.js';

export default defineCommand(
  {
    summary: 'Mirror relations with or without their field values and counters.',
    description:
      'The flags given replace what was asked for before: without any, neither is asked for. The next sync reads all relations ' +
      'anew; each counts as changed, because what is kept of it is.',
    examples: ['<%= config.bin %> mirror add relations --include-fields --profile sandbox'],
    args: {},
    flags: { ...includeFlags, ...addFlags },
  },
  ({ flags, context }) => includeInSource(context, flags, { name: 'relations', includes: includesOf(flags) }),
);
