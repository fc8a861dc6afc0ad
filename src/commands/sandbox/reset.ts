import { defineCommand } from '../../cli/command.js';
import { resetFlags, resetSandbox } from '../../topics/sandbox/control.js';

export default defineCommand(
  {
    summary: 'Throw the data of the embedded service away, and make them anew.',
    description:
      'The same size and seed give the same data. What was written to the embedded service is gone: in a terminal that is ' +
      'asked first, in a script it is not. What is interrupted leaves the data as they were. A sandbox that runs on them ' +
      'is to be stopped first.',
    examples: [
      '<%= config.bin %> sandbox reset',
      '<%= config.bin %> sandbox reset --yes --relations 1000 --seed 7',
      '<%= config.bin %> sandbox reset --db many.db --relations 2000',
    ],
    args: {},
    flags: resetFlags,
  },
  ({ flags, context }) => resetSandbox(context, flags),
);
