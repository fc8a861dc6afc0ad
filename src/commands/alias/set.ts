import { defineCommand } from '../../cli/command.js';
import { switchFlag } from '../../cli/flags/define.js';
import { textArg } from '../../cli/flags/kinds.js';
import { setAlias } from '../../topics/aliases/aliases.js';

export default defineCommand(
  {
    summary: 'Give a command line a name, under which it runs with all that is typed behind it.',
    description:
      'LINE is one argument, in quotes: a command with its arguments and flags, read as bash reads words; no variable and ' +
      'no other program is run. `relctl NAME` runs it, help lists it, and completion knows it. Aliases belong to you, not to ' +
      'a profile: a line may name one by --profile. An alias cannot have the name of a command, nor stand for another alias, ' +
      'nor hold --yes, --confirm or a secret.',
    examples: [
      '<%= config.bin %> alias set newest "relation list --sort ModifiedAt:desc --limit 5 --profile sandbox"',
      `<%= config.bin %> alias set codes 'product list --columns Code,Name' --force && <%= config.bin %> codes --limit 3 --profile sandbox`,
    ],
    args: {
      name: textArg({ required: true, description: 'The name: a word of letters, digits and -.' }),
      line: textArg({ required: true, description: 'The command line, in quotes.' }),
    },
    flags: { force: switchFlag({ summary: 'Replace an alias that stands for another line.' }) },
  },
  ({ args, flags, context, config }) => setAlias(context, config, { ...args, ...flags }),
);
