import { operations } from '../../contract/service.js';
import { switchFlag } from '../../kit/flags/define.js';
import { markColumns } from '../../kit/output/columns.js';
import { plannedListCommand } from '../../lists/command.js';

const { MarkGetAll, CampaignMarkGetAll } = operations;

export default plannedListCommand({
  operations: [MarkGetAll, CampaignMarkGetAll],
  summary: 'List all marks, or those that campaigns use.',
  examples: [
    '<%= config.bin %> mark list --profile sandbox',
    '<%= config.bin %> mark list --campaign -o csv --profile sandbox',
  ],
  flags: { campaign: switchFlag({ summary: 'Only campaign marks.' }) },
  plan: ({ flags }) => ({
    operation: flags.campaign ? CampaignMarkGetAll : MarkGetAll,
    input: {},
    shows: 'Marks',
    table: markColumns,
  }),
});
