import { defineCommand } from '../../cli/command.js';
import { textArg } from '../../cli/flags/kinds.js';
import { exportMirror, mirrorExportFlags } from '../../topics/mirror/export/export.js';

export default defineCommand(
  {
    summary: 'Write the tables of the mirror to files, for DuckDB, Spark, Trino or any other program.',
    description:
      'A file for each table: relations.parquet, relationships.parquet, telephone_numbers.parquet. The service is not called. ' +
      'All files show the same moment, and appear together when they are complete; until then the old ones stay.',
    examples: [
      '<%= config.bin %> mirror export lake --profile sandbox',
      '<%= config.bin %> mirror export lake relations telephone_numbers --profile sandbox',
      '<%= config.bin %> mirror export lake -o csv --profile sandbox',
    ],
    args: {
      dir: textArg({ required: true, description: 'Folder of the files; it is made when it is not there.' }),
      table: textArg({ multiple: true, description: 'A table; several may be given. All that were read without.' }),
    },
    flags: mirrorExportFlags,
  },
  ({ args, flags, context }) => exportMirror(context, { folder: args.dir, names: args.table ?? [] }, flags),
);
