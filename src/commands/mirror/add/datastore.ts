import { idArg } from '../../../cli/flags/kinds.js';
import { defineCommand } from '../../../cli/command.js';
import { addFlags, addSources } from '../../../topics/mirror/add/sources.js';

export default defineCommand(
  {
    summary: 'Mirror the entries of a datastore, with their words in other languages.',
    description: 'The next sync reads them into the table datastore_items. Added twice, it is read once.',
    examples: ['<%= config.bin %> mirror add datastore 00000000-0040-4000-8000-000000000021 --profile sandbox'],
    args: { 'entity-type': idArg('datastore', 'Entity type of the datastore.') },
    flags: addFlags,
  },
  ({ args, flags, context }) => {
    const entityTypeId = args['entity-type'];
    return addSources(context, flags, () => [
      { kind: 'datastore', ids: [entityTypeId], table: 'datastore_items', input: { entityTypeId } },
    ]);
  },
);
