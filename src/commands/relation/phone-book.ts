import { operations } from '../../contract/service.js';
import { defineCommand } from '../../cli/command.js';
import { pagedListFlags } from '../../cli/flags/shared.js';
import { legacyFlag, noteLegacy } from '../../cli/legacy.js';
import { relationId } from '../../lists/phone-book.js';
import { runList } from '../../lists/run.js';
import { openSession } from '../../cli/session.js';

const { RelationGetTelephoneBook, RelationGetTelephoneBook_V2 } = operations;

export default defineCommand(
  {
    summary: 'List relations with their telephone numbers.',
    examples: [
      '<%= config.bin %> relation phone-book --profile sandbox',
      '<%= config.bin %> relation phone-book -o ndjson --profile sandbox',
      '<%= config.bin %> relation phone-book --legacy --limit 5 --profile sandbox',
    ],
    args: {},
    flags: { legacy: legacyFlag(RelationGetTelephoneBook), ...pagedListFlags },
    operations: [RelationGetTelephoneBook_V2.name, RelationGetTelephoneBook.name],
  },
  async ({ flags, context }) => {
    const session = await openSession(context, flags);
    if (flags.legacy) await noteLegacy(context, flags, RelationGetTelephoneBook);
    await runList(
      { context, session, flags },
      {
        operation: flags.legacy ? RelationGetTelephoneBook : RelationGetTelephoneBook_V2,
        input: {},
        shows: 'TelephoneBookEntries',
        table: ['relation.Id', 'relation.DisplayName', 'TelephoneNumbers'],
        idOf: relationId,
      },
    );
  },
);
