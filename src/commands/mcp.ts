import { defineCommand } from '../kit/command.js';
import { mcpFlags, serveAgents } from '../topics/mcp/server.js';

export default defineCommand({
  summary: 'Serve a dozen tools to agents, by the Model Context Protocol on stdio.',
  description:
    'Tools find, ask by SQL, read lists and records, and call any operation that reads. Nothing is written without ' +
    '--allow-writes, and never to a protected profile; each write is in the ledger. Only the profiles that are named can be ' +
    'used. An answer that is longer than --max-bytes is cut between records, and says so. See `relctl help mcp`.',
  examples: [
    '<%= config.bin %> mcp --profile sandbox < /dev/null',
    '<%= config.bin %> mcp --allow-writes --profile sandbox < /dev/null',
  ],
  flags: mcpFlags,
  run: ({ flags, context }) => serveAgents(context, flags),
});
