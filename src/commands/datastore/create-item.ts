import { Flags } from '@oclif/core';
import { operations } from '../../contract/service.js';
import { defineCommand } from '../../cli/command.js';
import { aliasCatalogue } from '../../fields/look-up.js';
import { fieldValuesOf } from '../../fields/values.js';
import { aliasedFieldFlag } from '../../cli/flags/values/field.js';
import { guidArg } from '../../cli/flags/kinds.js';
import { writeCallFlags } from '../../cli/flags/shared.js';
import { translationsOf } from '../../cli/flags/values/translation.js';
import { runCall } from '../../records/call.js';
import { openSession } from '../../cli/session.js';
import { timeOf } from '../../cli/times.js';
import { defined } from '../../plain/defined.js';

const operation = operations.DatastoreCreateItem_V3;

export default defineCommand(
  {
    summary: 'Make an entry in a datastore (a lookup list).',
    description: 'Each run makes one more entry. After exit code 9 look at the list before you repeat it.',
    examples: [
      '<%= config.bin %> datastore create-item 00000000-0040-4000-8000-000000000021 --field 00000000-0041-4000-8000-000000002101=Visserij --translation nl-NL=Visserij --translation en-US=Fishing --profile sandbox',
      '<%= config.bin %> datastore create-item 00000000-0040-4000-8000-000000000021 --field 00000000-0041-4000-8000-000000002101=Visserij --dry-run --profile sandbox',
    ],
    args: { 'entity-type': guidArg('Entity type of the datastore.') },
    flags: {
      field: aliasedFieldFlag,
      translation: Flags.string({
        multiple: true,
        multipleNonGreedy: true,
        summary: 'Words of the entry in a language; may be repeated.',
        helpValue: 'nl-NL=TEXT',
      }),
      ...writeCallFlags,
    },
    operations: [operation.name],
  },
  async ({ args, flags, context }) => {
    const entityTypeId = args['entity-type'];
    const translations = translationsOf(flags.translation);
    const session = await openSession(context, flags);
    const catalogue = aliasCatalogue(context, session);
    const readTime = (text: string, flag: string): string => timeOf(context, session, { text, flag });
    const fieldValues = fieldValuesOf(flags.field, { catalogue, use: 'write', readTime });
    const input = { entityTypeId, fieldValues, ...defined({ translations }) };
    const what = `make an entry in datastore ${entityTypeId}`;
    await runCall({ context, session, flags }, { operation, input, shows: 'DatastoreItem', what });
  },
);
