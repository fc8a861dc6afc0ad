import { operations } from '../../contract/service.js';
import { planSearch, searchFlags } from '../../topics/activities/search.js';
import { forEditFlags } from '../../lists/list-flags.js';
import { plannedListCommand } from '../../lists/command.js';

export default plannedListCommand({
  operations: [operations.ActivitySearchByField, operations.ActivitySearchByFieldInPeriodExact],
  summary: 'Find activities by values of their fields, and by a period of one date field.',
  description:
    'A service may match loosely: compare the values yourself if that matters. In lists the service omits whether an activity is closed, its follow-up, workflow, ' +
    'step and relationships, so conditions on them cannot work. With --fields-of, you can use the names and labels of fields, ' +
    'relctl checks their values, and --include-fields adds a column for each of them, such as Field.Subject.',
  examples: [
    '<%= config.bin %> activity search --entity-type 00000000-0040-4000-8000-000000000011 --limit 5 --profile sandbox',
    '<%= config.bin %> activity search --entity-type 00000000-0040-4000-8000-000000000011 --fields-of 00000000-0030-4000-8000-000000000001 --field Priority=00000000-0042-4000-8000-000000002401 --profile sandbox',
    '<%= config.bin %> activity search --entity-type 00000000-0040-4000-8000-000000000011 --fields-of 00000000-0030-4000-8000-000000000001 --date-field Deadline --from 2024-01-01 --to 2025-12-31 --include-fields -o csv --profile sandbox',
  ],
  flags: { ...searchFlags, ...forEditFlags },
  plan: planSearch,
  forEdit: async (plan) => (await import('../../topics/activities/for-edit.js')).editedActivities(plan),
});
