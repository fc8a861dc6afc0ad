import { textArg } from '../kit/flags/kinds.js';
import { defineCommand } from '../kit/command.js';
import { runSql } from '../topics/sql/command.js';
import { sqlFlags } from '../topics/sql/ask.js';

export default defineCommand({
  summary: 'Query the mirror in SQL; read-only.',
  description:
    'One statement in the SQL of SQLite that begins with SELECT, WITH, VALUES or EXPLAIN, run on the data of `mirror ' +
    'sync`. Without a statement, lists the columns of all tables. Decimals and times are text, as the service sent them: the ' +
    'columns NAME_number and NAME_instant compare. See `relctl help mirror`.',
  examples: [
    `<%= config.bin %> sql "SELECT Id, DisplayName FROM relations LIMIT 5" --profile sandbox`,
    '<%= config.bin %> sql "SELECT * FROM relations WHERE ImportKey = :key" --param key=100001 --profile sandbox',
    'echo "SELECT count(*) AS n FROM telephone_numbers" | <%= config.bin %> sql - -o json --profile sandbox',
    '<%= config.bin %> sql -o csv --output-file columns.csv --profile sandbox',
    '<%= config.bin %> sql --print-file --profile sandbox',
  ],
  args: {
    query: textArg({ description: 'One statement; - reads it from stdin. Without one, lists the columns.' }),
  },
  flags: sqlFlags,
  run: ({ args, flags, context }) => runSql(context, args.query, flags),
});
