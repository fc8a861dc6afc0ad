import { defineCommand } from '../../kit/command.js';
import { databaseFlag, stopSandbox } from '../../topics/sandbox/control.js';

export default defineCommand({
  summary: 'Stop the `sandbox start` that runs. Its data are kept.',
  description: 'Without --db the one on the usual database, or else the only one that runs.',
  examples: ['<%= config.bin %> sandbox stop'],
  flags: databaseFlag,
  run: ({ flags, context }) => stopSandbox(context, flags),
});
