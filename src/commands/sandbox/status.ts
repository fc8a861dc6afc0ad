import { defineCommand } from '../../kit/command.js';
import { databaseFlag, SandboxStatus, showSandboxes } from '../../topics/sandbox/control.js';
import { outputFlags } from '../../kit/flags/common.js';

export default defineCommand({
  summary: 'List the sandboxes that run, and where; exit code 5 when none does.',
  description:
    'The usual database first, whether it is served or not; then each other one that is, or the one of --db.',
  examples: ['<%= config.bin %> sandbox status', '<%= config.bin %> sandbox status -o json'],
  prints: [SandboxStatus],
  flags: { ...databaseFlag, ...outputFlags },
  run: ({ flags, context }) => showSandboxes(context, flags),
});
