import { defineCommand } from '../../kit/command.js';
import { databaseFlag, stopSandbox } from '../../topics/sandbox/control.js';

export default defineCommand({
  summary: 'Stop a running `sandbox start`. Its data stay.',
  description: 'Without --db, stops the one on the default database, or the only one that runs.',
  examples: ['<%= config.bin %> sandbox stop'],
  flags: databaseFlag,
  run: ({ flags, context }) => stopSandbox(context, flags),
});
