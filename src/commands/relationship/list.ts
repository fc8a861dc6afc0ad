import { operations } from '../../contract/service.js';
import { changesFlags, includeFlags } from '../../lists/list-flags.js';
import { listCommand } from '../../lists/command.js';

export default listCommand({
  operation: operations.RelationshipGetAll,
  summary: 'List all relationships: who is contact or employee of whom, and how they are addressed.',
  examples: [
    '<%= config.bin %> relationship list --profile sandbox',
    '<%= config.bin %> relationship list -o ndjson --limit 3 --profile sandbox',
    '<%= config.bin %> relationship list --changes-since contacts -o ndjson --profile sandbox',
    '<%= config.bin %> relationship list --columns Id,DisplayName,DisplayCity,AuditData.ModifiedAt -o csv --profile sandbox',
  ],
  flags: { 'include-fields': includeFlags['include-fields'], ...changesFlags },
  shows: 'Relationships',
  table: ['Id', 'DisplayName', 'DisplayCity', 'IsInactive', 'Description'],
  request: ({ flags }) => ({ includeFields: flags['include-fields'] }),
});
