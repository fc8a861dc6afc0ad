import { defineCommand } from '../../kit/command.js';
import { resetFlags, resetSandbox } from '../../topics/sandbox/control.js';

export default defineCommand({
  summary: 'Delete the data of the embedded service, and create them again.',
  description:
    'The same size and seed create the same data. All writes to the embedded service are lost: in a terminal relctl asks ' +
    'first, but not in a script or with --no-input. An interrupted reset does not change the data. Stop a ' +
    'sandbox that serves them first.',
  examples: [
    '<%= config.bin %> sandbox reset',
    '<%= config.bin %> sandbox reset --yes --relations 1000 --seed 7',
    '<%= config.bin %> sandbox reset --db many.db --relations 2000',
  ],
  flags: resetFlags,
  run: ({ flags, context }) => resetSandbox(context, flags),
});
