import { defineCommand } from '../../kit/command.js';
import { connectionFlags } from '../../kit/flags/common.js';
import { nameArg } from '../../kit/flags/kinds.js';
import { kindArg, removeName } from '../../topics/profiles/names.js';

export default defineCommand({
  summary: 'Remove the name of an id from a profile.',
  examples: [
    '<%= config.bin %> name set queue later 00000000-0031-4000-8000-000000000001 --profile sandbox && <%= config.bin %> name remove queue later --profile sandbox',
  ],
  args: { kind: kindArg, name: nameArg({ required: true, description: 'The name.' }) },
  flags: { profile: connectionFlags.profile },
  run: ({ args, flags, context }) => removeName(context, flags, args),
});
