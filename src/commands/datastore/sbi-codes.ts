import { operations } from '../../contract/service.js';
import { listCommand } from '../../lists/command.js';

export default listCommand({
  operation: operations.DatastoreGetSbiCodes,
  summary: 'List the codes of the standard classification of businesses.',
  examples: [
    '<%= config.bin %> datastore sbi-codes --limit 10 --profile sandbox',
    '<%= config.bin %> datastore sbi-codes -o csv --profile sandbox',
  ],
  flags: {},
  shows: 'SbiCodes',
  table: ['Id', 'Code', 'Description', 'Section'],
  request: () => ({}),
});
