import { exitWords } from '../../core/errors/kinds.js';
import { defineCommand } from '../../kit/command.js';
import { databaseFlag, SandboxStatus, showSandboxes } from '../../topics/sandbox/control.js';
import { outputFlags } from '../../kit/flags/common.js';

export default defineCommand({
  summary: `List the running sandboxes and their addresses; ${exitWords('not-found')} if none runs.`,
  description: 'The default database first, served or not; then each other served one, or the one of --db.',
  examples: ['<%= config.bin %> sandbox status', '<%= config.bin %> sandbox status -o json'],
  prints: [SandboxStatus],
  flags: { ...databaseFlag, ...outputFlags },
  run: ({ flags, context }) => showSandboxes(context, flags),
});
