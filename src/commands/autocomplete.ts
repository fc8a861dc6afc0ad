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
    '--install writes a script where the shell looks for it, and prints what remains to do; it changes no file of yours. ' +
    'Without it, relctl prints the script. The script calls relctl at each Tab, so it stays correct after an upgrade: for ' +
    'columns, formats and other words, and for the profiles, bookmarks and names of fields stored on this ' +
    'machine. It calls no service.',
  examples: [
    '<%= config.bin %> autocomplete bash --install',
    '<%= config.bin %> autocomplete zsh > _relctl',
    '<%= config.bin %> autocomplete fish --remove',
  ],
  args: {
    shell: shell({
      description: 'bash, zsh or fish; with --install and --remove, the default is the variable SHELL.',
    }),
  },
  flags: {
    install: switchFlag({ summary: 'Write the script where the shell looks for it.' }),
    remove: switchFlag({ summary: 'Remove that script.' }),
    line: textOption({ hidden: true, summary: 'The command line up to the cursor, to be completed.' }),
    word: textOption({ hidden: true, summary: 'The word that bash replaces.' }),
  },
  run: ({ args, flags, context, config }) => runAutocomplete(context, config, { ...flags, shell: args.shell }),
});
