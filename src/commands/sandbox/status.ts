import { defineCommand } from '../../runtime/command.js';
import { databaseFlag } from '../../runtime/flags/dataset.js';
import { outputFlags } from '../../runtime/flags/output.js';
import { showSandboxes } from '../../runtime/sandbox-control.js';

export default defineCommand(
  {
    summary: 'List the sandboxes that run, and where; exit code 5 when none does.',
    description:
      'The usual database first, whether it is served or not; then each other one that is, or the one of --db.',
    examples: ['<%= config.bin %> sandbox status', '<%= config.bin %> sandbox status -o json'],
    args: {},
    flags: { ...databaseFlag, ...outputFlags },
  },
  ({ flags, context }) => showSandboxes(context, flags),
);
