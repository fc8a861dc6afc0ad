import { Args, Flags } from '@oclif/core';
import { defineCommand } from '../../cli/command.js';
import { diffExports } from '../../topics/diff/diff.js';
import { csvFlags } from '../../cli/flags/csv.js';
import { outputFlags } from '../../cli/flags/output.js';

export default defineCommand(
  {
    summary: 'Compare two exports: which records were added, changed or removed, and what they were before.',
    description:
      'Reads CSV, TSV, JSON and NDJSON, also packed as .gz, in whatever order the records stand. ' +
      'For CSV and TSV only columns that both files have are compared; others are told once.',
    examples: [
      `<%= config.bin %> product list -p sandbox -o csv > before.csv && <%= config.bin %> product update 00001 --sales-price 12.5 -y -q -p sandbox && <%= config.bin %> product list -p sandbox -o csv > after.csv && <%= config.bin %> export diff before.csv after.csv`,
      '<%= config.bin %> mark list -p sandbox -o ndjson > marks.ndjson && <%= config.bin %> export diff marks.ndjson marks.ndjson --exit-code',
    ],
    args: {
      before: Args.string({ required: true, description: 'The first file.' }),
      after: Args.string({ required: true, description: 'The second file.' }),
    },
    flags: {
      key: Flags.string({
        default: 'Id',
        summary: 'Column that says which records are the same.',
        helpValue: 'COLUMN',
      }),
      'input-format': Flags.string({
        summary: 'Format of both files where their names do not tell: csv, tsv, json or ndjson.',
        helpValue: 'FORMAT',
      }),
      'exit-code': Flags.boolean({ default: false, summary: 'End with exit code 12 when the files differ.' }),
      ...outputFlags,
      ...csvFlags,
    },
  },
  ({ args, flags, context }) => diffExports(context, [args.before, args.after], flags),
);
