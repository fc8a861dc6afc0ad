import { Args } from '@oclif/core';
import { SystemDatastoreType } from '../../contract/enumerations.js';
import { operations } from '../../contract/service.js';
import { choiceOf } from '../../cli/flags/typed.js';
import { listCommand } from '../../lists/command.js';

export default listCommand({
  operation: operations.SystemDatastoreGetItems,
  summary: 'List the entries of a lookup list that the system keeps.',
  description: `The lists: ${SystemDatastoreType.values.join(', ')}. A name may be shortened while it is the only one.`,
  examples: [
    '<%= config.bin %> datastore system PaymentMethod --profile sandbox',
    '<%= config.bin %> datastore system legal -o csv --profile sandbox',
  ],
  args: { type: Args.string({ required: true, description: `One of ${SystemDatastoreType.values.join(', ')}.` }) },
  flags: {},
  shows: 'DatastoreItems',
  table: ['Id', 'Code', 'Description'],
  request: ({ args }) => ({ systemDatastoreType: choiceOf(args.type, 'TYPE', SystemDatastoreType.values) }),
});
