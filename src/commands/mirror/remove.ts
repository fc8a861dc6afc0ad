import { sourceArg } from '../../cli/flags/kinds.js';
import { defineCommand } from '../../cli/command.js';
import { addFlags } from '../../topics/mirror/add/sources.js';
import { removeSource } from '../../topics/mirror/remove.js';

export default defineCommand(
  {
    summary: 'Take a list out of what the mirror reads, with its rows.',
    description:
      'A list that needs no Id comes back when it is named: `mirror sync marks`. `mirror status` lists the sources.',
    examples: [
      '<%= config.bin %> mirror sync marks --profile sandbox && <%= config.bin %> mirror remove marks --profile sandbox',
    ],
    args: { source: sourceArg({ required: true, description: 'The source, as `mirror status` names it.' }) },
    flags: addFlags,
  },
  ({ args, flags, context }) => removeSource(context, flags, args.source),
);
