import { defineCommand } from '../kit/command.js';
import { operationArg } from '../kit/flags/kinds.js';
import { describeOperations, OperationLine, operationsFlags } from '../topics/operations/operations.js';

export default defineCommand({
  summary: 'List the operations of the service, or describe one: parameters, result, records, presence.',
  examples: [
    '<%= config.bin %> operations',
    '<%= config.bin %> operations RelationGetAll',
    '<%= config.bin %> operations relation get',
    '<%= config.bin %> operations ActivityUpdate -o json',
    '<%= config.bin %> operations ActivityUpdate --template > input.json',
    '<%= config.bin %> operations -o csv --columns Name,Access,Replacement',
  ],
  args: {
    name: operationArg({
      multiple: true,
      description: 'Name of an operation, as the service spells it; or a command, for the operations that it calls.',
    }),
  },
  prints: [OperationLine],
  flags: operationsFlags,
  run: describeOperations,
});
