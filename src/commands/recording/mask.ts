import { defineCommand } from '../../kit/command.js';
import { outputFlags } from '../../kit/flags/common.js';
import { folderArg } from '../../kit/flags/kinds.js';
import { MaskedRecord, maskFolder } from '../../topics/sandbox/mask.js';

export default defineCommand({
  summary: 'Copy a recording with invented names, numbers, times, Ids and texts in the place of all that it has.',
  description:
    'The same is replaced by the same everywhere: in requests, answers, attributes and attachments. Yes and no, values of ' +
    'enumerations, page numbers, codes of results and names of elements stay. A call that cannot be parsed, was cut off or has ' +
    'no answer is left out, and named. `sandbox start --replay` serves the copy.',
  examples: [
    '<%= config.bin %> relation list --limit 5 --profile sandbox --record case && <%= config.bin %> recording mask case masked',
  ],
  args: {
    recording: folderArg({ required: true, description: 'Folder that --record wrote.' }),
    copy: folderArg({ required: true, description: 'Folder for the copy, which does not exist yet.' }),
  },
  flags: outputFlags,
  prints: [MaskedRecord],
  run: ({ args, flags, context }) => maskFolder(context, { from: args.recording, to: args.copy }, flags),
});
