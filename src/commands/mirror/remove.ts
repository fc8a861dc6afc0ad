import { defineCommand } from '../../kit/command.js';
import { sourceArg } from '../../kit/flags/kinds.js';
import { removeFlags, removeMirrored } from '../../topics/mirror/remove.js';

export default defineCommand({
  summary: 'Take a list out of what the mirror reads, with its rows; or remove the whole mirror.',
  description:
    'A list that needs no Id comes back when it is named: `mirror sync marks`. `mirror status` lists the sources. --all ' +
    'asks first in a terminal; in a script, and with --no-input, it does not.',
  examples: [
    '<%= config.bin %> mirror sync marks --profile sandbox && <%= config.bin %> mirror remove marks --profile sandbox',
    '<%= config.bin %> mirror remove --all --yes --profile sandbox',
  ],
  args: { source: sourceArg({ description: 'The source, as `mirror status` names it.' }) },
  flags: removeFlags,
  run: ({ args, flags, context }) => removeMirrored(context, args.source, flags),
});
