import { exitWords } from '../../core/errors/kinds.js';
import { operations } from '../../contract/service.js';
import { recordArg, idOption } from '../../kit/flags/kinds.js';
import { aliasedFieldFlag } from '../../lists/fields/field-flags.js';
import { aliasedFieldValues } from '../../lists/fields/look-up.js';
import { writeCommand } from '../../writes/command.js';

export default writeCommand({
  operation: operations.RelationshipAddLine,
  summary: 'Add a line with field values to a relationship.',
  description: `Each run adds one more line. After ${exitWords('outcome-unknown')} look at the relationship before you repeat it.`,
  examples: [
    '<%= config.bin %> relationship add-line 00000000-0011-4000-8000-000000000002 --entity-type 00000000-0040-4000-8000-000000000004 --datastore 00000000-0040-4000-8000-000000000021 --field 00000000-0041-4000-8000-000000000401=Rekenen --profile sandbox',
    'printf "id,%s\\n%s,Rekenen\\n" 00000000-0041-4000-8000-000000000401 00000000-0011-4000-8000-000000000002 > courses.csv && <%= config.bin %> relationship add-line --file courses.csv --entity-type 00000000-0040-4000-8000-000000000004 --datastore 00000000-0040-4000-8000-000000000021 --yes --profile sandbox',
  ],
  args: { id: recordArg('relationship') },
  flags: {
    'entity-type': idOption('entity-type')({ required: true, summary: 'Entity type of the line.' }),
    datastore: idOption('datastore')({ required: true, summary: 'Datastore that the line belongs to.' }),
    field: aliasedFieldFlag,
  },
  shows: 'LineData',
  plan: ({ args, flags, context, session }) => ({
    what: `add a line to relationship ${args.id}`,
    input: {
      RelationshipId: args.id,
      entityTypeId: flags['entity-type'],
      datastoreId: flags.datastore,
      fieldValues: aliasedFieldValues(context, session, flags.field),
    },
  }),
  rows: async () => (await import('../../topics/relationships/rows.js')).relationshipLineRows,
});
