import { defineCommand } from '../../cli/command.js';
import { recordArg } from '../../cli/flags/kinds.js';
import { MarkMember, membersFlags, showMembers } from '../../topics/reports/members.js';

export default defineCommand(
  {
    summary: 'List the relationships that carry a mark, with what a mailing needs.',
    description:
      'From the mirror: it needs marks, campaign_marks, relationships and relation_marks, which `mirror add marks ' +
      '--by-relation` adds with one call a relation. A mark that was taken away stays in relation_marks. Those that do not ' +
      'want mailings or are no longer in use are left out. A relationship that carries the mark twice is one row, with the ' +
      'later date. Mirrors in PostgreSQL are not read.',
    examples: [
      '<%= config.bin %> mirror add marks --by-relation --profile sandbox && <%= config.bin %> mirror sync --profile sandbox',
      '<%= config.bin %> mark members Nieuwsbrief --profile sandbox',
      '<%= config.bin %> mark members Nieuwsbrief --columns Addressing,Openening,DisplayCity -o csv --excel --profile sandbox',
    ],
    args: { mark: recordArg('mark') },
    prints: [MarkMember],
    flags: membersFlags,
  },
  ({ args, flags, context }) => showMembers(context, flags, args.mark.toLowerCase()),
);
