import { operations } from '../../contract/service.js';
import { planUpdate, updateFlags, findingFlags } from '../../topics/activities/update.js';
import { recordArg } from '../../kit/flags/kinds.js';
import { writeCommand } from '../../writes/command.js';
import { baseFlags } from '../../writes/flags.js';

export default writeCommand({
  operation: operations.ActivityUpdate,
  reads: [operations.ActivitySearchByField],
  summary: 'Change the field values and the follow-up of an activity.',
  description:
    'No operation reads a single activity, and a write always sends all members of a follow-up: one without a flag ' +
    'is sent as nil, which such services understand as "none". So without any flag of the follow-up, relctl does not send the follow-up, and it ' +
    'does not change; with one, relctl prints which members become empty and asks, unless --nil names them or --yes ' +
    'is set. Only the specified fields change; NAME= makes a field empty. With --file and --entity-type, ' +
    'relctl searches the activities of the rows, all of the kind at once, or with --find-by row by row: --dry-run then ' +
    'prints their values before and after, relctl sends no row that changes nothing, a row whose activity was changed by ' +
    'somebody else is a conflict, and --settle reads the outcome of rows whose answer was lost. A follow-up ' +
    'cannot be read, so such a row stays unknown.',
  examples: [
    '<%= config.bin %> activity update 00000000-0020-4000-8000-000000000001 --workflow 00000000-0030-4000-8000-000000000001 --field Subject="Call back" --profile sandbox',
    '<%= config.bin %> activity update 00000000-0020-4000-8000-000000000001 --start 2026-03-01T09:00 --end 2026-03-01T10:00 --owner 00000000-0000-4000-8000-000000000011 --nil in-agenda,reminder,queue --profile sandbox',
    '<%= config.bin %> activity update 00000000-0020-4000-8000-000000000001 --owner 00000000-0000-4000-8000-000000000011 --yes --dry-run --profile sandbox',
    'printf "id,Subject\\n00000000-0020-4000-8000-000000000001,Call back\\n" > calls.csv && <%= config.bin %> activity update --file calls.csv --workflow 00000000-0030-4000-8000-000000000001 --yes --profile sandbox',
    'printf "id,Subject\\n00000000-0020-4000-8000-000000000001,Call back\\n" > calls.csv && <%= config.bin %> activity update --file calls.csv --workflow 00000000-0030-4000-8000-000000000001 --entity-type 00000000-0040-4000-8000-000000000011 --dry-run --profile sandbox',
  ],
  args: { id: recordArg('activity') },
  flags: updateFlags,
  plan: planUpdate,
  rowFlags: { ...baseFlags, ...findingFlags },
  rows: async () => (await import('../../topics/activities/rows.js')).activityRows,
});
