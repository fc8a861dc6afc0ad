import { exitWords } from '../../core/errors/kinds.js';
import { undoFlags } from '../../writes/flags.js';
import { defineCommand } from '../../kit/command.js';
import { idOption, textArg } from '../../kit/flags/kinds.js';
import { operations } from '../../contract/service.js';
import { activityUndo } from '../../topics/activities/undo.js';
import { productUndo } from '../../topics/products/update.js';
import { writeCallFlags } from '../../kit/flags/common.js';
import { undoWrite, wayBack } from '../../topics/writes/undo.js';

const { ProductGetAll_V2, ProductUpdate_V2, ActivitySearchByField, ActivityUpdate } = operations;

export default defineCommand({
  operations: [ProductGetAll_V2, ProductUpdate_V2, ActivitySearchByField, ActivityUpdate].map(({ name }) => name),
  summary: 'Undo a write, or the rows of a batch.',
  description:
    'Restores only what the write changed, and only if it did not change since: otherwise relctl sends nothing for that ' +
    `record, and it is a conflict (${exitWords('conflict')}). relctl undoes the done rows of a batch with a new batch, with ` +
    'its own journal and results, that --resume continues; a run that continues a batch has an entry of its own, and ' +
    'each entry refers to the whole batch. The undo is an entry of the ledger too, and can be undone by its id. Field values of ' +
    'activities are restored if relctl read them before: with `activity update --file` and --entity-type. Additions ' +
    'and follow-ups cannot be undone: no operation of the service removes or reads them.',
  examples: [
    '<%= config.bin %> product update 00001 --sales-price 14.75 --yes --profile sandbox && <%= config.bin %> writes undo last --yes --profile sandbox',
    'printf "Code,SalesPrice\\n00001,12.75\\n00002,9.5\\n" > reduced.csv && <%= config.bin %> product update --file reduced.csv --no-base --yes --profile sandbox && <%= config.bin %> writes undo last --dry-run --profile sandbox',
  ],
  args: {
    id: textArg({ required: true, description: 'The entry: its id, the beginning of its id, or the word last.' }),
  },
  flags: {
    workflow: idOption('workflow')({
      summary: 'Workflow of the fields to restore: it has their names, and the texts of equal values.',
    }),
    ...undoFlags,
    ...writeCallFlags,
  },
  run: (input) => undoWrite(input, [wayBack(productUndo), wayBack(activityUndo)]),
});
