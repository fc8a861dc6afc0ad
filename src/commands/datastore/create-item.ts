import { exitWords } from '../../core/errors/kinds.js';
import { repeated } from '../../kit/flags/define.js';
import { operations } from '../../contract/service.js';
import { idArg, textOption } from '../../kit/flags/kinds.js';
import { aliasedFieldFlag } from '../../lists/fields/field-flags.js';
import { translationsOf } from '../../topics/datastores/translations.js';
import { aliasedFieldValues } from '../../lists/fields/look-up.js';
import { defined } from '../../core/values/value.js';
import { writeCommand } from '../../writes/command.js';

export default writeCommand({
  operation: operations.DatastoreCreateItem_V3,
  summary: 'Add an entry to a datastore (a lookup list).',
  description: `Each run adds one more entry. After ${exitWords('outcome-unknown')}, check the list before you repeat the command.`,
  examples: [
    '<%= config.bin %> datastore create-item 00000000-0040-4000-8000-000000000021 --field 00000000-0041-4000-8000-000000002101=Visserij --translation nl-NL=Visserij --translation en-US=Fishing --profile sandbox',
    '<%= config.bin %> datastore create-item 00000000-0040-4000-8000-000000000021 --field 00000000-0041-4000-8000-000000002101=Visserij --dry-run --profile sandbox',
    'printf "%s,translation.en-US\\nVisserij,Fishing\\n" 00000000-0041-4000-8000-000000002101 > entries.csv && <%= config.bin %> datastore create-item 00000000-0040-4000-8000-000000000021 --file entries.csv --yes --profile sandbox',
  ],
  args: { 'entity-type': idArg('datastore', 'Entity type of the datastore.') },
  flags: {
    field: aliasedFieldFlag,
    translation: textOption({
      ...repeated,
      summary: 'Text of the entry in a language; may be repeated.',
      helpValue: 'nl-NL=TEXT',
    }),
  },
  shows: 'DatastoreItem',
  plan: ({ args, flags, context, session }) => ({
    what: `add an entry to datastore ${args['entity-type']}`,
    input: {
      entityTypeId: args['entity-type'],
      fieldValues: aliasedFieldValues(context, session, flags.field),
      ...defined({ translations: translationsOf(flags.translation) }),
    },
  }),
  rows: async () => (await import('../../topics/datastores/rows.js')).itemRows,
});
