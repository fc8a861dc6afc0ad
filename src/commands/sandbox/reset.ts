import { defineCommand } from '../../kit/command.js';
import { resetFlags, resetSandbox } from '../../topics/sandbox/control.js';

export default defineCommand({
  summary: 'Delete the data of the embedded service, and make them anew.',
  description:
    'The same size and seed give the same data. What was written to the embedded service is lost: in a terminal it asks ' +
    'first; in a script, and with --no-input, it does not. An interrupted reset leaves the data as they were. Stop a ' +
    'sandbox that serves them first.',
  examples: [
    '<%= config.bin %> sandbox reset',
    '<%= config.bin %> sandbox reset --yes --relations 1000 --seed 7',
    '<%= config.bin %> sandbox reset --db many.db --relations 2000',
  ],
  flags: resetFlags,
  run: ({ flags, context }) => resetSandbox(context, flags),
});
