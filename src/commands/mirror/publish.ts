import { defineCommand } from '../../kit/command.js';
import { folderArg } from '../../kit/flags/kinds.js';
import { publishFlags, PublishLine, publishMirror } from '../../topics/mirror/publish.js';

export default defineCommand({
  summary: 'Publish the tables of the mirror to a folder or a PostgreSQL database, for other readers.',
  description:
    'Calls no service. A folder gets a file for each table, a database a typed table; all are of the same moment, and ' +
    'readers see either all new data or all old data. relctl sends only changes to a database. It replaces nothing that it ' +
    'did not publish.',
  examples: [
    '<%= config.bin %> mirror publish lake --profile sandbox',
    '<%= config.bin %> mirror publish lake-csv --format csv --profile sandbox',
    '<%= config.bin %> mirror publish postgres://relctl@db.example.com/crm --password-from file:/run/secrets/crm --profile sandbox',
  ],
  args: {
    target: folderArg({ required: true, description: 'A folder, or postgres://USER@HOST/DATABASE.' }),
  },
  prints: [PublishLine],
  flags: publishFlags,
  run: ({ args, flags, context }) => publishMirror(context, args.target, flags),
});
