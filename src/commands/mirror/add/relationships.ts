import { includeFieldsFlag } from '../../../cli/flags/include.js';
import { defineCommand } from '../../../cli/command.js';
import { addFlags, includeInSource } from '../../../topics/mirror/add/sources.js';

export default defineCommand(
  {
    summary: 'Mirror relationships with or without their field values.',
    description:
      'The flag replaces what was asked for before: without it, field values are not asked for. The next sync reads all ' +
      'relationships anew; each counts as changed, because what is kept of it is.',
    examples: ['<%= config.bin %> mirror add relationships --include-fields --profile sandbox'],
    args: {},
    flags: { 'include-fields': includeFieldsFlag, ...addFlags },
  },
  ({ flags, context }) =>
    includeInSource(context, flags, {
      name: 'relationships',
      includes: { includeFields: flags['include-fields'] },
    }),
);
