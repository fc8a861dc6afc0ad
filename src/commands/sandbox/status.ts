import { defineCommand } from '../../runtime/command.js';
import { outputFlags } from '../../runtime/flags/output.js';
import { showSandbox } from '../../runtime/sandbox-control.js';

export default defineCommand(
  {
    summary: 'Say whether `sandbox start` runs, and where; exit code 5 when it does not.',
    examples: ['<%= config.bin %> sandbox status', '<%= config.bin %> sandbox status -o json'],
    args: {},
    flags: outputFlags,
  },
  ({ flags, context }) => showSandbox(context, flags),
);
