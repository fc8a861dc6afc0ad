import { defineCommand } from '../../runtime/command.js';
import { datasetFlags } from '../../runtime/flags/dataset.js';
import { resetSandbox } from '../../runtime/sandbox-control.js';

export default defineCommand(
  {
    summary: 'Throw the data of the embedded service away, and make them anew.',
    description: 'The same size and seed give the same data. What was written to the embedded service is gone.',
    examples: ['<%= config.bin %> sandbox reset', '<%= config.bin %> sandbox reset --relations 1000 --seed 7'],
    args: {},
    flags: datasetFlags,
  },
  ({ flags, context }) => resetSandbox(context, flags),
);
