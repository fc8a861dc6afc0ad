import { defineCommand } from '../../kit/command.js';
import { folderArg } from '../../kit/flags/kinds.js';
import { publishFlags, PublishLine, publishMirror } from '../../topics/mirror/publish.js';

export default defineCommand({
  summary: 'Carry the tables of the mirror to a folder or a PostgreSQL database, where many read them.',
  description:
    'The service is not called. A folder gets a file for each table, a database a typed table; all show the same moment, and ' +
    'readers see all of it or what was there before. A database is sent what changed since. What relctl did not publish ' +
    'is not replaced.',
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
