import { idOption, fieldOption, timeOption } from '../../../cli/flags/kinds.js';
import { includeFlags } from '../../../cli/flags/include.js';
import { fieldFlag } from '../../../cli/flags/values/field.js';
import { defineCommand } from '../../../cli/command.js';
import { planMirrored } from '../../../topics/activities/mirrored.js';
import { addFlags, addSources } from '../../../topics/mirror/add.js';

export default defineCommand(
  {
    summary: 'Mirror the activities that a search finds.',
    description:
      'The search is that of `activity search`. It is kept as it is sent: a relative time such as -30d means the time that it ' +
      'means now. Without --until a period has no end. The next sync reads what it finds into the table activities.',
    examples: [
      '<%= config.bin %> mirror add activities --entity-type 00000000-0040-4000-8000-000000000011 --profile sandbox',
      '<%= config.bin %> mirror add activities --entity-type 00000000-0040-4000-8000-000000000011 --workflow 00000000-0030-4000-8000-000000000001 --field Priority=00000000-0042-4000-8000-000000002401 --include-fields --profile sandbox',
      '<%= config.bin %> mirror add activities --entity-type 00000000-0040-4000-8000-000000000011 --workflow 00000000-0030-4000-8000-000000000001 --date-field Deadline --from 2024-01-01 --profile sandbox',
    ],
    args: {},
    flags: {
      'entity-type': idOption('entity-type')({ required: true, summary: 'Kind of activity to search.' }),
      workflow: idOption('workflow')({ summary: 'Workflow whose fields may be named.' }),
      field: fieldFlag,
      'date-field': fieldOption({ summary: 'Date field that must lie between --from and --to.' }),
      from: timeOption({ summary: 'Start of the period.' }),
      until: timeOption({ summary: 'End of the period; none when left out.' }),
      ...includeFlags,
      ...addFlags,
    },
  },
  ({ flags, context }) =>
    addSources(context, flags, async (session) => [await planMirrored({ context, session, flags })]),
);
