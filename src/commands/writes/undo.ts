import { undoFlags } from '../../writes/flags.js';
import { defineCommand } from '../../kit/command.js';
import { idOption, textArg } from '../../kit/flags/kinds.js';
import { operations } from '../../contract/service.js';
import { planProductUndo } from '../../topics/products/update.js';
import { writeCallFlags } from '../../kit/flags/common.js';
import { undoWrite, wayBack } from '../../topics/writes/undo.js';

export default defineCommand({
  operations: ['ProductGetAll_V2', 'ProductUpdate_V2', 'ActivitySearchByField', 'ActivityUpdate'],
  summary: 'Put back what a write, or the rows of a batch, changed.',
  description:
    'Only what the write changed is put back, and only where it still is as the write left it: else nothing is sent for that ' +
    'record, and it is a conflict (exit code 13). The rows of a batch that were done are put back by a batch of its own, with ' +
    'its own journal and results, that --resume goes on with; a run that goes on with a batch has an entry of its own, and ' +
    'each of them stands for the whole batch. The undo is an entry of the ledger too, and can be undone by its id. Field values of ' +
    'activities are put back where they were read before: by `activity update --file` with --entity-type. What was added, ' +
    'and follow-ups, cannot be undone: no operation of the service removes or reads them.',
  examples: [
    '<%= config.bin %> product update 00001 --sales-price 14.75 --yes --profile sandbox && <%= config.bin %> writes undo last --yes --profile sandbox',
    'printf "Code,SalesPrice\\n00001,12.75\\n00002,9.5\\n" > reduced.csv && <%= config.bin %> product update --file reduced.csv --no-base --yes --profile sandbox && <%= config.bin %> writes undo last --dry-run --profile sandbox',
  ],
  args: {
    id: textArg({ required: true, description: 'The entry: its id or the beginning of it, or the word last.' }),
  },
  flags: {
    workflow: idOption('workflow')({
      summary: 'Workflow whose fields are put back: it tells how they are named, and which texts are the same value.',
    }),
    ...undoFlags,
    ...writeCallFlags,
  },
  run: (input) =>
    undoWrite(input, [
      wayBack({
        operation: operations.ProductUpdate_V2,
        plan: planProductUndo,
        rows: async () => (await import('../../topics/products/rows.js')).productRows,
      }),
      wayBack({
        operation: operations.ActivityUpdate,
        rows: async () => (await import('../../topics/activities/rows.js')).activityRows,
      }),
    ]),
});
