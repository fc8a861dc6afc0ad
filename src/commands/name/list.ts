import { defineCommand } from '../../kit/command.js';
import { connectionFlags, outputFlags } from '../../kit/flags/common.js';
import { optionalKindArg, listNames, NameLine } from '../../topics/profiles/names.js';

export default defineCommand({
  summary: 'List the names of ids in a profile: all, or those of one kind.',
  examples: [
    '<%= config.bin %> name list --profile sandbox',
    '<%= config.bin %> name list workflow -o csv --profile sandbox',
  ],
  args: { kind: optionalKindArg },
  prints: [NameLine],
  flags: { profile: connectionFlags.profile, ...outputFlags },
  run: ({ args, flags, context }) => listNames(context, flags, args.kind),
});
