import { defineCommand } from '../../../cli/command.js';
import { connectionFlags } from '../../../cli/flags/connection.js';
import { guidArg } from '../../../cli/flags/kinds.js';
import { removeFieldDatastore } from '../../../topics/profiles/field-datastores.js';

export default defineCommand(
  {
    summary: 'Forget which datastore a field chooses from.',
    examples: [
      '<%= config.bin %> field datastore set 00000000-0041-4000-8000-000000001202 00000000-0040-4000-8000-000000000024 --profile sandbox && <%= config.bin %> field datastore remove 00000000-0041-4000-8000-000000001202 --profile sandbox',
    ],
    args: { field: guidArg('Id of the field.') },
    flags: { profile: connectionFlags.profile },
  },
  ({ args, flags, context }) => removeFieldDatastore(context, flags, args.field),
);
