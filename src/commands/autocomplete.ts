import { argument, switchFlag } from '../kit/flags/define.js';
import { textOption } from '../kit/flags/kinds.js';
import { defineCommand } from '../kit/command.js';
import { choiceOf } from '../kit/flags/readers.js';
import { runAutocomplete } from '../topics/completion/complete.js';
import { shells } from '../topics/completion/answer.js';

const shell = argument((text, name) => choiceOf(text, name, shells), { offers: shells });

export default defineCommand({
  summary: 'Complete commands, flags and values in bash, zsh and fish.',
  description:
    '--install puts a script where the shell looks for it, and says what is left to do; no file of yours is changed. ' +
    'Without it the script is printed. The script asks relctl at each Tab, so that it stays right after an upgrade: for ' +
    'columns, formats and other words, and for the profiles, bookmarks and names of fields that are kept on this ' +
    'machine. No service is called.',
  examples: [
    '<%= config.bin %> autocomplete bash --install',
    '<%= config.bin %> autocomplete zsh > _relctl',
    '<%= config.bin %> autocomplete fish --remove',
  ],
  args: {
    shell: shell({
      description: 'bash, zsh or fish; with --install and --remove, the one that the variable SHELL says.',
    }),
  },
  flags: {
    install: switchFlag({ summary: 'Put the script where the shell looks for it.' }),
    remove: switchFlag({ summary: 'Remove that script.' }),
    line: textOption({ hidden: true, summary: 'The command line up to the cursor, to be completed.' }),
    word: textOption({ hidden: true, summary: 'What bash is going to replace.' }),
  },
  run: ({ args, flags, context, config }) => runAutocomplete(context, config, { ...flags, shell: args.shell }),
});
