import { defineCommand } from '../../../cli/command.js';
import { connectionFlags } from '../../../cli/flags/connection.js';
import { outputFlags } from '../../../cli/flags/output.js';
import { FieldDatastore, listFieldDatastores } from '../../../topics/profiles/field-datastores.js';

export default defineCommand(
  {
    summary: 'List the fields whose datastore a profile knows.',
    examples: ['<%= config.bin %> field datastore list --profile sandbox'],
    prints: [FieldDatastore],
    args: {},
    flags: { profile: connectionFlags.profile, ...outputFlags },
  },
  ({ flags, context }) => listFieldDatastores(context, flags),
);
