import { operations } from '../../contract/service.js';
import { defineCommand } from '../../kit/command.js';
import { connectionFlags, outputFlags } from '../../kit/flags/common.js';
import { csvFlags } from '../../kit/flags/csv.js';
import { countFlags, countNotifications, UserCount } from '../../topics/notifications/count.js';

const { NotificationGetCount } = operations;

export default defineCommand({
  summary: "Count a user's notifications, or those of many users.",
  examples: [
    '<%= config.bin %> notification count --profile sandbox',
    '<%= config.bin %> notification count --user 00000000-0000-4000-8000-000000000011 -o json --profile sandbox',
    "printf '%s\\n' 00000000-0000-4000-8000-000000000011 00000000-0000-4000-8000-000000000012 | <%= config.bin %> notification count --ids - -o csv --profile sandbox",
  ],
  prints: [UserCount],
  flags: { ...countFlags, ...connectionFlags, ...outputFlags, ...csvFlags },
  operations: [NotificationGetCount.name],
  run: ({ flags, context }) => countNotifications(context, flags),
});
