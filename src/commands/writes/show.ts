import { connectionFlags, outputFlags } from '../../kit/flags/common.js';
import { switchFlag } from '../../kit/flags/define.js';
import { textArg } from '../../kit/flags/kinds.js';
import { defineCommand } from '../../kit/command.js';
import { BatchRow, showWrite, WriteRecord } from '../../topics/writes/show.js';

export default defineCommand({
  summary: 'Show a write: the values before, the sent values, and the outcome.',
  examples: [
    '<%= config.bin %> product update 00001 --sales-price 13.75 --yes --profile sandbox && <%= config.bin %> writes show last --profile sandbox',
    'printf "Code,SalesPrice\\n00001,13.5\\n00002,9.25\\n" > summer.csv && <%= config.bin %> product update --file summer.csv --no-base --yes --profile sandbox && <%= config.bin %> writes show last --rows --profile sandbox',
  ],
  args: {
    id: textArg({ required: true, description: 'The entry: its id, the beginning of its id, or the word last.' }),
  },
  prints: [WriteRecord, BatchRow],
  flags: {
    profile: connectionFlags.profile,
    rows: switchFlag({ summary: 'Show the rows of a batch, each with its outcome.' }),
    ...outputFlags,
  },
  run: ({ args, flags, context }) => showWrite(context, args.id, flags),
});
