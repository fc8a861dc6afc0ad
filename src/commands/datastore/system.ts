import { argument } from '../../kit/flags/define.js';
import { SystemDatastoreType } from '../../contract/enumerations.js';
import { typeWith } from '../../contract/widen.js';
import { operations } from '../../contract/service.js';
import { choiceOf } from '../../kit/flags/readers.js';
import { listCommand } from '../../lists/command.js';

const list = argument(
  (text, name, allowed) =>
    choiceOf(text, name, (allowed === undefined ? SystemDatastoreType : typeWith(SystemDatastoreType, allowed)).values),
  { offers: SystemDatastoreType.values, enumeration: SystemDatastoreType },
);

export default listCommand({
  operation: operations.SystemDatastoreGetItems,
  summary: 'List the entries of a lookup list of the system.',
  description: `The lists: ${SystemDatastoreType.values.join(', ')}. You can shorten a name to a unique beginning.`,
  examples: [
    '<%= config.bin %> datastore system PaymentMethod --profile sandbox',
    '<%= config.bin %> datastore system legal -o csv --profile sandbox',
  ],
  args: { type: list({ required: true, description: `One of ${SystemDatastoreType.values.join(', ')}.` }) },
  flags: {},
  shows: 'DatastoreItems',
  table: ['Id', 'Code', 'Description'],
  request: ({ args }) => ({ systemDatastoreType: args.type }),
});
