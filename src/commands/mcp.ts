import { defineCommand } from '../cli/command.js';
import { mcpFlags, serveAgents, ToolLine } from '../topics/mcp/mcp.js';

export default defineCommand(
  {
    summary: 'Serve commands and operations as tools to agents, by the Model Context Protocol on stdio.',
    description:
      'Each command that reads and each operation that reads is a tool, `find` and `sql` among them. Nothing is written without ' +
      '--allow-writes, and never to a protected profile; each write is in the ledger. Only the profiles that are named can be ' +
      'used. An answer that is longer than --max-bytes is cut between records, and says so. See `relctl help mcp-guide`.',
    examples: [
      '<%= config.bin %> mcp --profile sandbox < /dev/null',
      '<%= config.bin %> mcp --list --tools "relation_*,find,sql" --profile sandbox',
      '<%= config.bin %> mcp --list --allow-writes -o json --profile sandbox',
    ],
    args: {},
    prints: [ToolLine],
    flags: mcpFlags,
  },
  ({ flags, context, config }) => serveAgents(context, flags, config.commands),
);
