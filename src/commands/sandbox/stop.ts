import { defineCommand } from '../../runtime/command.js';
import { stopSandbox } from '../../runtime/sandbox-control.js';

export default defineCommand(
  {
    summary: 'Stop the `sandbox start` that runs. Its data stay.',
    examples: ['<%= config.bin %> sandbox stop'],
    args: {},
    flags: {},
  },
  ({ flags, context }) => stopSandbox(context, flags),
);
