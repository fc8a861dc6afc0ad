import { defineCommand } from '../../kit/command.js';
import { addedArg, nameArg } from '../../kit/flags/kinds.js';
import { planMirrored } from '../../topics/activities/search.js';
import { addMirrored, mirrorAddFlags } from '../../topics/mirror/add/add.js';

export default defineCommand({
  summary: 'Mirror more: activities, marks of relations, datastores, workflows, field values, lists of any operation.',
  description:
    'activities: the result of a search, as of `activity search`, or with --by-relation those of each relation. marks ' +
    '--by-relation: those on the relationships of each relation. datastore ID: its entries. workflow ID: its steps and ' +
    'fields. relations and relationships: more data for each record; without flags none. call:OPERATION: a ' +
    'list that `call OPERATION --list MEMBER` reads, in a table of its own. The next sync reads them. Sources added ' +
    'before do not change; relctl resolves a relative time such as -30d now, not at each sync.',
  examples: [
    '<%= config.bin %> mirror add activities --entity-type 00000000-0040-4000-8000-000000000011 --profile sandbox',
    '<%= config.bin %> mirror add activities --entity-type 00000000-0040-4000-8000-000000000011 --fields-of 00000000-0030-4000-8000-000000000001 --date-field Deadline --from 2024-01-01 --profile sandbox',
    '<%= config.bin %> mirror add activities --by-relation --from 2024-01-01 --profile sandbox',
    '<%= config.bin %> mirror add marks --by-relation --profile sandbox',
    '<%= config.bin %> mirror add datastore 00000000-0040-4000-8000-000000000021 --profile sandbox',
    '<%= config.bin %> mirror add workflow 00000000-0030-4000-8000-000000000001 --profile sandbox',
    '<%= config.bin %> mirror add relations --include-fields --profile sandbox',
    '<%= config.bin %> mirror add call:MarkGetAll --list Marks --as labels --profile sandbox',
  ],
  args: {
    kind: addedArg({
      required: true,
      description: 'activities, datastore, marks, relations, relationships, workflow, or call:OPERATION.',
    }),
    id: nameArg({ description: 'Id of the datastore or the workflow, or its name in the profile.' }),
  },
  flags: mirrorAddFlags,
  run: ({ args, flags, context }) => addMirrored(context, args, { flags, planSearch: planMirrored }),
});
