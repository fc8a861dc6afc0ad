import { switchFlag } from '../../../cli/flags/define.js';
import { idOption, fieldOption, timeOption } from '../../../cli/flags/kinds.js';
import { includeFlags, includesOf } from '../../../cli/flags/include.js';
import { fieldFlag } from '../../../cli/flags/values/field.js';
import { defineCommand } from '../../../cli/command.js';
import { planMirrored } from '../../../topics/activities/mirrored.js';
import { addFlags, addSources } from '../../../topics/mirror/add/sources.js';
import { addEachRelation, searchedType } from '../../../topics/mirror/add/each-relation.js';

export default defineCommand(
  {
    summary: 'Mirror the activities that a search finds, or those of each relation.',
    description:
      'The search is that of `activity search`. It is kept as it is sent: a relative time such as -30d means the time that it ' +
      'means now. Without --to a period has no end. The next sync reads what it finds into the table activities. With ' +
      '--by-relation, each sync asks for what changed of each relation since it was asked for, into relation_activities.',
    examples: [
      '<%= config.bin %> mirror add activities --entity-type 00000000-0040-4000-8000-000000000011 --profile sandbox',
      '<%= config.bin %> mirror add activities --by-relation --profile sandbox',
      '<%= config.bin %> mirror add activities --entity-type 00000000-0040-4000-8000-000000000011 --workflow 00000000-0030-4000-8000-000000000001 --field Priority=00000000-0042-4000-8000-000000002401 --include-fields --profile sandbox',
      '<%= config.bin %> mirror add activities --entity-type 00000000-0040-4000-8000-000000000011 --workflow 00000000-0030-4000-8000-000000000001 --date-field Deadline --from 2024-01-01 --profile sandbox',
    ],
    args: {},
    flags: {
      'entity-type': idOption('entity-type')({ summary: 'Kind of activity to search.' }),
      workflow: idOption('workflow')({ summary: 'Workflow whose fields may be named.' }),
      field: fieldFlag,
      'date-field': fieldOption({ summary: 'Date field that must lie between --from and --to.' }),
      from: timeOption({ summary: 'Start of the period.' }),
      to: timeOption({ summary: 'End of the period; none when left out.' }),
      'by-relation': switchFlag({ summary: 'Ask for each relation of the mirror instead; one call each or more.' }),
      since: timeOption({ summary: 'With --by-relation: only what changed since then; all when left out.' }),
      ...includeFlags,
      ...addFlags,
    },
  },
  ({ flags, context }) => {
    const entityType = searchedType(flags);
    if (entityType === undefined) {
      const { workflow } = flags;
      const workflows = workflow === undefined ? {} : { workflowIds: [workflow] };
      return addEachRelation(context, flags, {
        kind: 'activities by relation',
        ids: workflow === undefined ? [] : [workflow],
        table: 'relation_activities',
        input: { ...workflows, ...includesOf(flags) },
      });
    }
    const asked = { ...flags, 'entity-type': entityType };
    return addSources(context, flags, async (session) => [await planMirrored({ context, session, flags: asked })]);
  },
);
