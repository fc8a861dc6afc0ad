import { commandsOf } from '../cli/commands-of.js';
import { operationArg } from '../cli/flags/kinds.js';
import { defineCommand } from '../cli/command.js';
import { outputFlags } from '../cli/flags/output.js';
import { OperationLine, printOperation, printOperations } from '../topics/operations/operations.js';

export default defineCommand(
  {
    summary: 'List the operations of the service, or describe one: parameters, result, records, presence.',
    examples: [
      '<%= config.bin %> operations',
      '<%= config.bin %> operations RelationGetAll',
      '<%= config.bin %> operations ActivityUpdate -o json',
      '<%= config.bin %> operations -o csv --columns Name,Access,Replacement',
    ],
    args: { name: operationArg({ description: 'Name of an operation, as the service spells it.' }) },
    prints: [OperationLine],
    flags: outputFlags,
  },
  async ({ args, flags, context, config }) =>
    args.name === undefined
      ? printOperations(context, flags)
      : printOperation(context, flags, { name: args.name, commandsOf: (name) => commandsOf(config, name) }),
);
