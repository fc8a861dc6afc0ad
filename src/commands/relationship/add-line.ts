import { operations } from '../../contract/service.js';
import { defineCommand } from '../../cli/command.js';
import { aliasCatalogue } from '../../fields/look-up.js';
import { fieldValuesOf } from '../../fields/values.js';
import { aliasedFieldFlag } from '../../cli/flags/values/field.js';
import { guidArg, guidOption } from '../../cli/flags/kinds.js';
import { writeCallFlags } from '../../cli/flags/shared.js';
import { runCall } from '../../records/call.js';
import { openSession } from '../../cli/session.js';
import { timeOf } from '../../cli/times.js';

const operation = operations.RelationshipAddLine;

export default defineCommand(
  {
    summary: 'Add a line with field values to a relationship.',
    description: 'Each run adds one more line. After exit code 9 look at the relationship before you repeat it.',
    examples: [
      '<%= config.bin %> relationship add-line 00000000-0011-4000-8000-000000000002 --entity-type 00000000-0040-4000-8000-000000000004 --datastore 00000000-0040-4000-8000-000000000021 --field 00000000-0041-4000-8000-000000000401=Rekenen --profile sandbox',
      '<%= config.bin %> relationship add-line 00000000-0011-4000-8000-000000000002 --entity-type 00000000-0040-4000-8000-000000000004 --datastore 00000000-0040-4000-8000-000000000021 --field 00000000-0041-4000-8000-000000000401=Rekenen --dry-run --profile sandbox',
    ],
    args: { id: guidArg('Id of the relationship.') },
    flags: {
      'entity-type': guidOption({ required: true, summary: 'Entity type of the line.' }),
      datastore: guidOption({ required: true, summary: 'Datastore that the line belongs to.' }),
      field: aliasedFieldFlag,
      ...writeCallFlags,
    },
    operations: [operation.name],
  },
  async ({ args, flags, context }) => {
    const ids = {
      RelationshipId: args.id,
      entityTypeId: flags['entity-type'],
      datastoreId: flags.datastore,
    };
    const session = await openSession(context, flags);
    const catalogue = aliasCatalogue(context, session);
    const readTime = (text: string, flag: string): string => timeOf(context, session, { text, flag });
    const fieldValues = fieldValuesOf(flags.field, { catalogue, use: 'write', readTime });
    const what = `add a line to relationship ${ids.RelationshipId}`;
    await runCall(
      { context, session, flags },
      {
        operation,
        input: { ...ids, fieldValues },
        shows: 'LineData',
        what,
      },
    );
  },
);
