import { defineCommand } from '../../kit/command.js';
import { textArg } from '../../kit/flags/kinds.js';
import { listMirrored, mirroredRecords, mirrorListFlags } from '../../topics/mirror/changes.js';

export default defineCommand({
  summary: 'Print the records of a table of the mirror, as the list command prints them.',
  description: 'Calls no service. Order and format of the records are the same as in the list, as of the last sync.',
  examples: [
    '<%= config.bin %> mirror sync relations --profile sandbox && <%= config.bin %> mirror list relations --limit 5 --profile sandbox',
    '<%= config.bin %> mirror sync products --profile sandbox && <%= config.bin %> mirror list products --sort Code --columns Code,Name -o csv --profile sandbox',
    '<%= config.bin %> mirror sync marks --profile sandbox && <%= config.bin %> mirror list marks --gone --profile sandbox',
  ],
  args: { table: textArg({ required: true, description: 'A table of records, such as relations.' }) },
  prints: mirroredRecords,
  flags: mirrorListFlags,
  run: ({ args, flags, context }) => listMirrored(context, args.table, flags),
});
