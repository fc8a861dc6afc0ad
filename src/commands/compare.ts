import { profileArg } from '../cli/flags/kinds.js';
import { defineCommand } from '../cli/command.js';
import { operations } from '../contract/service.js';
import { ComparedRow, compareFlags, compareProfiles } from '../topics/compare/compare.js';

/** What is read of both services. */
const reads = [
  operations.ProductGetAll_V2,
  operations.MarkGetAll,
  operations.CampaignMarkGetAll,
  operations.SystemDatastoreGetItems,
  operations.DatastoreGetSbiCodes,
  operations.WorkflowStepGetAll,
  operations.ActivityGetFields,
  operations.DatastoreGetWithParentItems_V2,
];

export default defineCommand(
  {
    summary: 'Compare what two services are set up with: products, marks, lists, workflows, datastores.',
    description:
      'Reads the lists of both profiles and prints each difference. Records are the same when they have the same code or, ' +
      'without a code, the same name; where several have it and their category or parent does not tell them apart, the row ' +
      'says ambiguous. Ids are not compared: each service has its own. Numbers are compared by value; a text that is empty ' +
      'and one that is not there are the same. No operation lists product groups and VAT rates: products are compared by ' +
      'those that have a name in both profiles. Without --workflow and --datastore, those are compared that have a name in ' +
      'both profiles (name set), or are sources of both mirrors (mirror add) with one Id or name.',
    examples: [
      '<%= config.bin %> compare sandbox sandbox',
      '<%= config.bin %> compare sandbox sandbox --only products,marks --exit-code',
      '<%= config.bin %> compare sandbox sandbox --datastore 00000000-0040-4000-8000-000000000021 --datastore 00000000-0040-4000-8000-000000000022 -o csv',
    ],
    args: {
      a: profileArg({ required: true, description: 'Profile of the first service.' }),
      b: profileArg({ required: true, description: 'Profile of the second service.' }),
    },
    prints: [ComparedRow],
    flags: compareFlags,
    operations: reads.map(({ name }) => name),
  },
  ({ args, flags, context }) => compareProfiles(context, [args.a, args.b], flags),
);
