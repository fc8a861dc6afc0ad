import { commandsOf, defineCommand } from '../../kit/command.js';
import { ContractDifferenceLine, diffOperations, operationsDiffFlags } from '../../topics/operations/diff.js';

export default defineCommand({
  summary: 'Compare the WSDL of a service with the contract that commands go by.',
  description:
    'Reads the WSDL that `operations import` saved; with --live, or when none was imported, the one that the service gives ' +
    'now. Prints operations, parameters and members that are more, less, or of another type, order or presence, and values ' +
    'of enumerations, each with what it means for commands.',
  examples: [
    '<%= config.bin %> operations diff --profile sandbox',
    '<%= config.bin %> operations diff --live --exit-code --profile sandbox',
  ],
  prints: [ContractDifferenceLine],
  flags: operationsDiffFlags,
  run: ({ flags, context, config }) => diffOperations(context, flags, (operation) => commandsOf(config, operation)),
});
