import { operations } from '../../contract/service.js';
import { defineCommand } from '../../cli/command.js';
import { connectionFlags } from '../../cli/flags/connection.js';
import { csvFlags } from '../../cli/flags/csv.js';
import { outputFlags } from '../../cli/flags/output.js';
import { countFlags, countNotifications, UserCount } from '../../topics/notifications/count.js';

const { NotificationGetCount } = operations;

export default defineCommand(
  {
    summary: "Count a user's notifications, or those of many users.",
    description:
      'With --warn or --crit it is a monitoring plug-in for Nagios, Icinga, Checkmk or Zabbix: one line of text with ' +
      'figures, and exit code 0 for OK, 1 for a warning, 2 for critical, 3 for every error. The user with the most ' +
      'notifications decides.',
    examples: [
      '<%= config.bin %> notification count --profile sandbox',
      '<%= config.bin %> notification count --user 00000000-0000-4000-8000-000000000011 -o json --profile sandbox',
      "printf '%s\\n' 00000000-0000-4000-8000-000000000011 00000000-0000-4000-8000-000000000012 | <%= config.bin %> notification count --users - -o csv --profile sandbox",
      '<%= config.bin %> notification count --warn 100 --crit 200 --profile sandbox',
    ],
    args: {},
    prints: [UserCount],
    flags: { ...countFlags, ...connectionFlags, ...outputFlags, ...csvFlags },
    operations: [NotificationGetCount.name],
  },
  ({ flags, context }) => countNotifications(context, flags),
);
