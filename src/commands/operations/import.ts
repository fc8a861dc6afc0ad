import { defineCommand } from '../../kit/command.js';
import { textArg } from '../../kit/flags/kinds.js';
import { ImportLine, importFlags, importOperations } from '../../topics/operations/import.js';

export default defineCommand({
  summary: 'Read the WSDL of a service, and save its operations in the profile.',
  description:
    'Without SOURCE, relctl requests the WSDL of the service of the profile, without credentials. `operations` lists ' +
    'imported operations, and `call` calls them: relctl checks their parameters and knows the types of their answers. An imported ' +
    'operation counts as a write until --reads says otherwise. Prints what is new, changed or gone since the last import, ' +
    'and what relctl does not read. Operations of the contract do not change.',
  examples: [
    '<%= config.bin %> operations import --profile sandbox',
    '<%= config.bin %> operations import --reads "*Get*" --profile sandbox',
    '<%= config.bin %> operations import --jobs jobs.yaml --profile sandbox',
    '<%= config.bin %> operations import --forget --profile sandbox',
  ],
  args: { source: textArg({ description: 'Address or path of a WSDL.' }) },
  prints: [ImportLine],
  flags: importFlags,
  run: ({ args, flags, context, config }) => importOperations({ context, config }, flags, args.source),
});
