import { defineCommand } from '../../kit/command.js';
import { sourceArg } from '../../kit/flags/kinds.js';
import { removeFlags, removeMirrored } from '../../topics/mirror/remove.js';

export default defineCommand({
  summary: 'Remove a list and its rows from the mirror; or remove the whole mirror.',
  description:
    '`mirror sync marks` adds a list again, if it needs no Id. `mirror status` lists the sources. --all ' +
    'asks for confirmation in a terminal, but not in a script or with --no-input.',
  examples: [
    '<%= config.bin %> mirror sync marks --profile sandbox && <%= config.bin %> mirror remove marks --profile sandbox',
    '<%= config.bin %> mirror remove --all --yes --profile sandbox',
  ],
  args: { source: sourceArg({ description: 'The source, as listed by `mirror status`.' }) },
  flags: removeFlags,
  run: ({ args, flags, context }) => removeMirrored(context, args.source, flags),
});
