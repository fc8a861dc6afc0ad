import { Flags } from '@oclif/core';
import { operations } from '../../contract/service.js';
import { defineCommand } from '../../cli/command.js';
import { listItems } from '../../topics/datastores/items.js';
import { guidArg } from '../../cli/flags/values/guid.js';
import { listFlags } from '../../cli/flags/shared.js';

export default defineCommand(
  {
    summary: 'List the entries of a datastore (a lookup list), with the entries above them.',
    description: 'With -o tree, entries stand under those above them.',
    examples: [
      '<%= config.bin %> datastore items 00000000-0040-4000-8000-000000000021 --profile sandbox',
      '<%= config.bin %> datastore items 00000000-0040-4000-8000-000000000021 --translations -o json --profile sandbox',
      '<%= config.bin %> datastore items 00000000-0040-4000-8000-000000000022 -o tree --parents 00000000-0040-4000-8000-000000000021 --profile sandbox',
    ],
    args: { 'entity-type': guidArg('Entity type of the datastore.') },
    flags: {
      translations: Flags.boolean({ default: false, summary: 'Bring the words in other languages along.' }),
      parents: Flags.string({
        summary: 'With -o tree: entity type of the datastore above this one.',
        helpValue: 'GUID',
      }),
      ...listFlags(false),
      output: Flags.string({
        char: 'o',
        summary: 'Format: tree, or table, card, json, ndjson, csv, tsv, yaml (RELCTL_OUTPUT).',
        helpValue: 'FORMAT',
        helpGroup: 'OUTPUT',
      }),
    },
    operations: [operations.DatastoreGetWithParentItems_V2.name],
  },
  ({ args, flags, context }) => listItems(context, args['entity-type'], flags),
);
