import { defineCommand } from '../kit/command.js';
import { mcpFlags, serveAgents } from '../topics/mcp/server.js';

export default defineCommand({
  summary: 'Serve a dozen tools to agents, over the Model Context Protocol on stdio.',
  description:
    'The tools search, query by SQL, read lists and records, and call any operation that reads. They write nothing without ' +
    '--allow-writes, and never to a protected profile; each write is in the ledger. They can use only the profiles of ' +
    '--profile. relctl cuts an answer longer than --max-bytes between records, and reports that. See `relctl help mcp`.',
  examples: [
    '<%= config.bin %> mcp --profile sandbox < /dev/null',
    '<%= config.bin %> mcp --allow-writes --profile sandbox < /dev/null',
  ],
  flags: mcpFlags,
  run: ({ flags, context }) => serveAgents(context, flags),
});
