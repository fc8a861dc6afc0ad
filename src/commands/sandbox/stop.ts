import { defineCommand } from '../../runtime/command.js';
import { databaseFlag } from '../../runtime/flags/dataset.js';
import { stopSandbox } from '../../runtime/sandbox-control.js';

export default defineCommand(
  {
    summary: 'Stop the `sandbox start` that runs. Its data stay.',
    description: 'Without --db the one on the usual database, or else the only one that runs.',
    examples: ['<%= config.bin %> sandbox stop'],
    args: {},
    flags: databaseFlag,
  },
  ({ flags, context }) => stopSandbox(context, flags),
);
