import { argument } from '../cli/flags/define.js';
import { completionScript, shells } from '../app/completion/scripts.js';
import { defineCommand } from '../cli/command.js';
import { choiceOf } from '../cli/flags/readers.js';

const shell = argument((text, name) => choiceOf(text, name, shells));

export default defineCommand(
  {
    summary: 'Print a script that completes commands and flags in a shell.',
    description: `Shells: ${shells.join(', ')}. Put the output where your shell reads it: for bash and zsh in a file that ~/.bashrc or ~/.zshrc sources, for fish in ~/.config/fish/completions/relctl.fish.`,
    examples: [
      '<%= config.bin %> autocomplete bash',
      '<%= config.bin %> autocomplete bash > ~/.relctl-completion && echo "source ~/.relctl-completion" >> ~/.bashrc',
      '<%= config.bin %> autocomplete fish',
    ],
    args: { shell: shell({ required: true, description: 'bash, zsh or fish.' }) },
    flags: {},
  },
  ({ args, context, config }) => context.streams.out.write(completionScript(config, args.shell)),
);
