import { commandsOf, operationsOf, defineCommand } from '../kit/command.js';
import { operationArg } from '../kit/flags/kinds.js';
import {
  checkTemplate,
  OperationLine,
  operationsFlags,
  printOperation,
  printOperations,
} from '../topics/operations/operations.js';

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
  run: async ({ args, flags, context, config }) => {
    const { name: words = [] } = args;
    const called = operationsOf(config, words);
    if (flags.template) checkTemplate(words, called);
    if (words.length === 0) return printOperations(context, flags);
    if (called.length > 1) return printOperations(context, flags, called);
    const name = called[0] ?? words.join(' ');
    return printOperation(context, flags, { name, commandsOf: (operation) => commandsOf(config, operation) });
  },
});
