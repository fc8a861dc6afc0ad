import { callArg } from '../../cli/flags/kinds.js';
import { defineCommand } from '../../cli/command.js';
import { addCall, addCallFlags } from '../../topics/mirror/add/call.js';

export default defineCommand(
  {
    summary: 'Mirror a list of any operation, of the contract or imported.',
    description:
      'The list is the one that `call OPERATION --list MEMBER` reads, with the same flags. The next sync reads it into a table ' +
      'that is named by the operation and the list: call_mark_get_all_marks. Its records need an Id, or --key. A mirror keeps ' +
      'what the table is made of: reading it needs no import.',
    examples: ['<%= config.bin %> mirror add call:MarkGetAll --list Marks --as labels --profile sandbox'],
    args: {
      list: callArg({ required: true, description: 'call: and the name of the operation, as the service spells it.' }),
    },
    flags: addCallFlags,
  },
  ({ args, flags, context }) => addCall(context, args.list, flags),
);
