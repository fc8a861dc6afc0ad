import { operations } from '../../contract/service.js';
import { legacyFlag, noteLegacy } from '../../kit/operations/legacy.js';
import { plannedListCommand } from '../../lists/command.js';
import { relationId } from '../../lists/plan.js';

const { RelationGetTelephoneBook, RelationGetTelephoneBook_V2 } = operations;

export default plannedListCommand({
  operations: [RelationGetTelephoneBook_V2, RelationGetTelephoneBook],
  summary: 'List relations with their telephone numbers.',
  description:
    'CSV, TSV and workbooks have a row for each number; --explode none prints the numbers of a relation in one ' +
    'cell, as JSON, and --join as text.',
  examples: [
    '<%= config.bin %> relation phone-book --profile sandbox',
    '<%= config.bin %> relation phone-book -o csv --profile sandbox',
    "<%= config.bin %> relation phone-book -o csv --columns relation.DisplayName,TelephoneNumbers.Value --join '; ' --profile sandbox",
    '<%= config.bin %> relation phone-book -o ndjson --profile sandbox',
    '<%= config.bin %> relation phone-book --legacy --limit 5 --profile sandbox',
  ],
  flags: { legacy: legacyFlag(RelationGetTelephoneBook) },
  plan: async ({ flags, context }) => {
    if (flags.legacy) await noteLegacy(context, flags, RelationGetTelephoneBook);
    return {
      operation: flags.legacy ? RelationGetTelephoneBook : RelationGetTelephoneBook_V2,
      input: {},
      shows: 'TelephoneBookEntries',
      table: ['relation.DisplayName', 'TelephoneNumbers', 'relation.Id'],
      answer: { idOf: relationId },
      explodes: 'TelephoneNumbers',
    };
  },
});
