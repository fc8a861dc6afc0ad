import { operations } from '../../contract/service.js';
import { defineCommand } from '../../kit/command.js';
import { itemFlags, listItems } from '../../topics/datastores/items.js';
import { idArg } from '../../kit/flags/kinds.js';

export default defineCommand({
  summary: 'List the entries of a datastore (a lookup list), with their parents.',
  description: 'With -o tree, entries are indented below their parents.',
  examples: [
    '<%= config.bin %> datastore items 00000000-0040-4000-8000-000000000021 --profile sandbox',
    '<%= config.bin %> datastore items 00000000-0040-4000-8000-000000000021 --translations -o json --profile sandbox',
    '<%= config.bin %> datastore items 00000000-0040-4000-8000-000000000022 -o tree --parents 00000000-0040-4000-8000-000000000021 --profile sandbox',
  ],
  args: { 'entity-type': idArg('datastore', 'Entity type of the datastore.') },
  flags: itemFlags,
  operations: [operations.DatastoreGetWithParentItems_V2.name],
  run: ({ args, flags, context }) => listItems(context, args['entity-type'], flags),
});
