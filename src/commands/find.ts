import { runAsTyped } from '../app/program-config.js';
import { defineCommand } from '../kit/command.js';
import { textArg } from '../kit/flags/kinds.js';
import { find, FindLine, findFlags } from '../topics/find/find.js';

export default defineCommand({
  summary: 'Find records by a name, a number, a code, a key or an e-mail address.',
  description:
    'Searches the mirror that `mirror sync` fills, not the service. All words must match, in any order; accents and ' +
    'case do not matter, and a part of a word is enough. A telephone number matches in any notation. The best matches come ' +
    'first. In a terminal, `find` without words searches while you type.',
  examples: [
    '<%= config.bin %> find joelle veen --max-age 1d --profile sandbox',
    '<%= config.bin %> find veen breda --limit 5 --profile sandbox',
    '<%= config.bin %> find +31 6 5550 --type telephone -o json --profile sandbox',
  ],
  args: {
    text: textArg({ multiple: true, description: 'Words or a number to search for.' }),
  },
  prints: [FindLine],
  flags: findFlags,
  run: ({ args, flags, context, config }) => {
    const run = (id: string, argv: readonly string[]): Promise<void> => runAsTyped(config, context, { id, argv });
    return find({ context, flags, run }, args.text ?? []);
  },
});
