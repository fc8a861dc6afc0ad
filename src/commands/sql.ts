import { textArg } from '../kit/flags/kinds.js';
import { defineCommand } from '../kit/command.js';
import { runSql } from '../topics/sql/command.js';
import { sqlFlags } from '../topics/sql/mirror.js';

export default defineCommand({
  summary: 'Ask the mirror a question in SQL; nothing can be written to it.',
  description:
    'One statement that begins with SELECT, WITH, VALUES or EXPLAIN, in the SQL of SQLite, asked of what `mirror sync` has ' +
    'read. Without a statement it lists the columns of all tables. Decimals and times are text, as the service gave them: the ' +
    'columns NAME_number and NAME_instant compare. See `relctl help mirror`.',
  examples: [
    `<%= config.bin %> sql "SELECT Id, DisplayName FROM relations LIMIT 5" --profile sandbox`,
    '<%= config.bin %> sql "SELECT * FROM relations WHERE ImportKey = :key" --param key=100001 --profile sandbox',
    'echo "SELECT count(*) AS n FROM telephone_numbers" | <%= config.bin %> sql - -o json --profile sandbox',
    '<%= config.bin %> sql -o csv --output-file columns.csv --profile sandbox',
    '<%= config.bin %> sql --print-file --profile sandbox',
  ],
  args: {
    query: textArg({ description: 'One statement; - reads it from stdin. Without one the columns are listed.' }),
  },
  flags: sqlFlags,
  run: ({ args, flags, context }) => runSql(context, args.query, flags),
});
