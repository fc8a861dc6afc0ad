import { defineCommand } from '../../../cli/command.js';
import { connectionFlags } from '../../../cli/flags/connection.js';
import { switchFlag } from '../../../cli/flags/define.js';
import { guidArg, idArg } from '../../../cli/flags/kinds.js';
import { setFieldDatastore } from '../../../topics/profiles/field-datastores.js';

export default defineCommand(
  {
    summary: 'Say which datastore a field chooses from, so that --field takes the texts of its items.',
    description:
      'The service says that a field chooses from a datastore, but no document says where it says from which. ExtraInfo of ' +
      'the field, in activity fields, may be the Id of it: datastore items shows whether the items are those of the field.',
    examples: [
      '<%= config.bin %> field datastore set 00000000-0041-4000-8000-000000001102 00000000-0040-4000-8000-000000000024 --profile sandbox && <%= config.bin %> activity search --entity-type 00000000-0040-4000-8000-000000000011 --workflow 00000000-0030-4000-8000-000000000001 --field Priority=High --limit 5 --profile sandbox',
    ],
    args: { field: guidArg('Id of the field.'), datastore: idArg('datastore', 'The datastore, by its Id or name.') },
    flags: {
      profile: connectionFlags.profile,
      force: switchFlag({ summary: 'Replace the datastore that is known.' }),
    },
  },
  ({ args, flags, context }) => setFieldDatastore(context, flags, args),
);
