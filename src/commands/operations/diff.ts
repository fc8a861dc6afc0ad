import { commandsOf, defineCommand } from '../../kit/command.js';
import { ContractDifferenceLine, diffOperations, operationsDiffFlags } from '../../topics/operations/diff.js';

export default defineCommand({
  summary: 'Compare the WSDL of a service with the contract of relctl.',
  description:
    'Reads the WSDL that `operations import` saved; with --live, or without an import, the one that the service returns ' +
    'now. Prints operations, parameters and members that are added, missing, or of another type, order or presence, and values ' +
    'of enumerations, each with what it means for commands.',
  examples: [
    '<%= config.bin %> operations diff --profile sandbox',
    '<%= config.bin %> operations diff --live --exit-code --profile sandbox',
  ],
  prints: [ContractDifferenceLine],
  flags: operationsDiffFlags,
  run: ({ flags, context, config }) => diffOperations(context, flags, (operation) => commandsOf(config, operation)),
});
