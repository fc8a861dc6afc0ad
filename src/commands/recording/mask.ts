import { defineCommand } from '../../kit/command.js';
import { outputFlags } from '../../kit/flags/common.js';
import { folderArg } from '../../kit/flags/kinds.js';
import { MaskedRecord, maskFolder } from '../../topics/sandbox/mask.js';

export default defineCommand({
  summary: 'Copy a recording, with all names, numbers, times, Ids and texts replaced by invented ones.',
  description:
    'Equal values get equal replacements, in requests, answers, attributes and attachments. Booleans, values of ' +
    'enumerations, page numbers, result codes and element names stay. relctl omits and lists calls that cannot be parsed, were truncated or have ' +
    'no answer. `sandbox start --replay` serves the copy.',
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
