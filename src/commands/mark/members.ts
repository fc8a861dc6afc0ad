import { defineCommand } from '../../cli/command.js';
import { recordArg } from '../../cli/flags/kinds.js';
import { MarkMember, membersFlags, showMembers } from '../../topics/reports/members.js';

export default defineCommand(
  {
    summary: 'List the relationships that carry a mark, with what a mailing needs.',
    description:
      'From the mirror, in whose table relation_marks the marks on relationships stand; one that was taken away stays in it. Those that do not want ' +
      'mailings or are no longer in use are left out. A relationship that carries the mark twice is one row, with the later ' +
      'date. Mirrors in PostgreSQL are not read.',
    examples: ['<%= config.bin %> mark members --columns help'],
    args: { mark: recordArg('mark') },
    prints: [MarkMember],
    flags: membersFlags,
  },
  ({ args, flags, context }) => showMembers(context, flags, args.mark.toLowerCase()),
);
