import { switchFlag } from '../../cli/flags/define.js';
import { operations } from '../../contract/service.js';
import { markColumns } from '../../cli/output/columns.js';
import { defineCommand } from '../../cli/command.js';
import { wholeListFlags } from '../../cli/flags/shared.js';
import { runList } from '../../lists/run.js';
import { openSession } from '../../cli/session.js';

const { MarkGetAll, CampaignMarkGetAll } = operations;

export default defineCommand(
  {
    summary: 'List all marks, or those that campaigns use.',
    examples: [
      '<%= config.bin %> mark list --profile sandbox',
      '<%= config.bin %> mark list --campaign -o csv --profile sandbox',
    ],
    args: {},
    flags: { campaign: switchFlag({ summary: 'Only campaign marks.' }), ...wholeListFlags },
    operations: [MarkGetAll.name, CampaignMarkGetAll.name],
  },
  async ({ flags, context }) => {
    const session = await openSession(context, flags);
    const operation = flags.campaign ? CampaignMarkGetAll : MarkGetAll;
    await runList({ context, session, flags }, { operation, input: {}, shows: 'Marks', table: markColumns });
  },
);
