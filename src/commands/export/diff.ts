import { fileArg } from '../../kit/flags/kinds.js';
import { defineCommand } from '../../kit/command.js';
import { DifferenceLine, diffExports, diffFlags } from '../../topics/diff/diff.js';

export default defineCommand({
  summary: 'Compare two exports: which records were added, changed or removed, and what they were before.',
  description:
    'Reads all export formats except YAML, also as .gz, with the records in any order. Except for JSON and NDJSON, ' +
    'relctl compares only columns that both files have, and reports each other column once.',
  examples: [
    `<%= config.bin %> product list -p sandbox -o csv > before.csv && <%= config.bin %> product update 00001 --sales-price 12.5 -y -q -p sandbox && <%= config.bin %> product list -p sandbox -o csv > after.csv && <%= config.bin %> export diff before.csv after.csv`,
    '<%= config.bin %> mark list -p sandbox -o ndjson > marks.ndjson && <%= config.bin %> export diff marks.ndjson marks.ndjson --exit-code',
  ],
  args: {
    before: fileArg({ required: true, description: 'The first file.' }),
    after: fileArg({ required: true, description: 'The second file.' }),
  },
  prints: [DifferenceLine],
  flags: diffFlags,
  run: ({ args, flags, context }) => diffExports(context, [args.before, args.after], flags),
});
