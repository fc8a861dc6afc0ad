import { operations } from '../../contract/service.js';
import { settingOption } from '../../cli/flags/kinds.js';
import { outputFlag } from '../../cli/flags/output.js';
import { legacyFlag, noteLegacy } from '../../cli/operations/legacy.js';
import { plannedListCommand } from '../../lists/command.js';
import { relationId } from '../../lists/phone-book.js';

const { RelationGetTelephoneBook, RelationGetTelephoneBook_V2 } = operations;

export default plannedListCommand({
  operations: [RelationGetTelephoneBook_V2, RelationGetTelephoneBook],
  summary: 'List relations with their telephone numbers.',
  description:
    'CSV, TSV and workbooks have a row for each number; --explode none keeps the numbers of a relation together in one ' +
    'cell, as JSON, and --join as text. -o vcard makes cards that telephones and mail programs import, with numbers as they ' +
    'are dialled from anywhere; one that cannot be read stays as it was typed.',
  examples: [
    '<%= config.bin %> relation phone-book --profile sandbox',
    '<%= config.bin %> relation phone-book -o csv --profile sandbox',
    "<%= config.bin %> relation phone-book -o csv --columns relation.DisplayName,TelephoneNumbers.Value --join '; ' --profile sandbox",
    '<%= config.bin %> relation phone-book -o ndjson --profile sandbox',
    '<%= config.bin %> relation phone-book --country NL --output-file phone-book.vcf --profile sandbox',
    '<%= config.bin %> relation phone-book --legacy --limit 5 --profile sandbox',
  ],
  args: {},
  flags: {
    legacy: legacyFlag(RelationGetTelephoneBook),
    country: settingOption('country')({
      summary: 'With -o vcard: where numbers without a country are dialled, such as NL.',
      helpValue: 'COUNTRY',
    }),
    output: outputFlag('vcard'),
  },
  plan: async ({ flags, context }) => {
    if (flags.legacy) await noteLegacy(context, flags, RelationGetTelephoneBook);
    return {
      operation: flags.legacy ? RelationGetTelephoneBook : RelationGetTelephoneBook_V2,
      input: {},
      shows: 'TelephoneBookEntries',
      table: ['relation.DisplayName', 'TelephoneNumbers', 'relation.Id'],
      idOf: relationId,
      explodes: 'TelephoneNumbers',
    };
  },
});
