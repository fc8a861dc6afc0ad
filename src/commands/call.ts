import { operationArg } from '../kit/flags/kinds.js';
import { callOperation } from '../topics/call/call.js';
import { callFlags, listJobFlags } from '../topics/call/flags.js';
import { defineCommand } from '../kit/command.js';

export default defineCommand({
  summary: 'Call any operation by its name, in the contract or not.',
  description:
    'relctl checks an operation of the contract before it sends anything: see `operations NAME`. It refuses any other, unless ' +
    'you confirm it with --read or --write. Then it sends the parameters unchanged, in their order, and prints the answer ' +
    'as far as it can read it; it never retries a write. It adds credentials unless the WSDL says that the operation takes none. With --list MEMBER it reads a list of the ' +
    'answer to its end and prints it as list commands do: columns, filters, files, --changes-since. See `relctl help operations`.',
  examples: [
    '<%= config.bin %> call NotificationGetCount --param userId=00000000-0000-4000-8000-000000000011 --profile sandbox',
    '<%= config.bin %> call SystemDatastoreGetItems --param systemDatastoreType=PaymentMethod -o yaml --profile sandbox',
    '<%= config.bin %> call RelationshipGetAll --list Relationships --param includeFields=false -o csv --profile sandbox',
    '<%= config.bin %> call RelationGet --list Counters --param relationId=00000000-0000-4000-8000-000000000102 --param includeFields=false --param includeCounters=true --profile sandbox',
    'echo \'{"systemDatastoreType":"PaymentMethod"}\' | <%= config.bin %> call SystemDatastoreGetItems --input - --profile sandbox',
    'echo "<userId>00000000-0000-4000-8000-000000000011</userId>" | <%= config.bin %> call NotificationGetCount --input - --raw-output --profile sandbox',
    '<%= config.bin %> call ActivityGet --param activityId=00000000-0020-4000-8000-000000000001 --read --envelope --profile sandbox',
    'printf "activityId,fieldValues[0].Id,fieldValues[0].Value\\n%s,%s,Call\\n" 00000000-0020-4000-8000-000000000001 00000000-0041-4000-8000-000000001101 > writes.csv && <%= config.bin %> call ActivityUpdate --file writes.csv --yes --profile sandbox',
  ],
  args: {
    operation: operationArg({ required: true, description: 'Name of the operation, as the service spells it.' }),
  },
  flags: callFlags,
  jobFlags: listJobFlags,
  run: callOperation,
});
