import { exitWords } from '../../core/errors/kinds.js';
import { operations } from '../../contract/service.js';
import { relationCommand } from '../../lists/ids/ids-command.js';
import { checkActivitiesFlags, planActivities, relationActivitiesFlags } from '../../topics/activities/of-relation.js';

const { RelationGetActivities, RelationGetActivitiesModified_V2 } = operations;

export default relationCommand({
  summary: 'List the activities of a relation that changed in a period; without a period, all of them.',
  description:
    'With --ids, relctl prints the activities of many relations as one list, whose first column, _relationId, is the ' +
    `relation. If a relation fails, relctl reports it on stderr and continues: ${exitWords('partial')} if some failed.`,
  examples: [
    '<%= config.bin %> relation activities 00000000-0000-4000-8000-000000000102 --profile sandbox',
    '<%= config.bin %> relation activities 00000000-0000-4000-8000-000000000102 --from 2024-01-01 --to now -o csv --profile sandbox',
    '<%= config.bin %> relation activities 00000000-0000-4000-8000-000000000102 --from -2d --profile sandbox',
    '<%= config.bin %> relation activities 00000000-0000-4000-8000-000000000102 --workflow 00000000-0030-4000-8000-000000000001 --profile sandbox',
    '<%= config.bin %> relation list --columns Id -o csv --profile sandbox | <%= config.bin %> relation activities --ids - -o csv --profile sandbox',
  ],
  flags: relationActivitiesFlags,
  operations: [RelationGetActivitiesModified_V2, RelationGetActivities],
  check: checkActivitiesFlags,
  plan: planActivities,
});
