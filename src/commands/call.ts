import { operationArg } from '../cli/flags/kinds.js';
import { callFlags, callOperation } from '../topics/call/call.js';
import { defineCommand } from '../cli/command.js';

export default defineCommand(
  {
    summary: 'Call any operation by its name, in the contract or not.',
    description:
      'An operation of the contract is checked before anything is sent: see `operations NAME`. Any other is refused, unless ' +
      '--read or --write says that it is meant. Then parameters go out as they are given, in their order, and the answer ' +
      'is printed as it is understood; a write is never repeated. Credentials are always added.',
    examples: [
      '<%= config.bin %> call NotificationGetCount --param userId=00000000-0000-4000-8000-000000000011 --profile sandbox',
      '<%= config.bin %> call SystemDatastoreGetItems --param systemDatastoreType=PaymentMethod -o yaml --profile sandbox',
      'echo \'{"systemDatastoreType":"PaymentMethod"}\' | <%= config.bin %> call SystemDatastoreGetItems --input - --profile sandbox',
      'echo "<userId>00000000-0000-4000-8000-000000000011</userId>" | <%= config.bin %> call NotificationGetCount --raw - --raw-output --profile sandbox',
      '<%= config.bin %> call ActivityGet --param activityId=00000000-0020-4000-8000-000000000001 --read --dry-run --profile sandbox',
    ],
    args: {
      operation: operationArg({ required: true, description: 'Name of the operation, as the service spells it.' }),
    },
    flags: callFlags,
  },
  ({ args, flags, context }) => callOperation(context, args.operation, flags),
);
