import { Flags } from '@oclif/core';
import { defineCommand } from '../../runtime/command.js';
import { datasetFlags } from '../../runtime/flags/dataset.js';
import { startSandbox } from '../../runtime/sandbox-start.js';

export default defineCommand(
  {
    summary: 'Serve the embedded service on this machine until Ctrl-C.',
    description:
      'SOAP 1.1 and 1.2 on the loopback address, for other programs and for profiles of your own. Its data live on in a ' +
      'database file; while it runs, commands with --profile sandbox talk to it.',
    examples: [
      '<%= config.bin %> sandbox start',
      '<%= config.bin %> sandbox start --port 0 --relations 5000',
      '<%= config.bin %> sandbox start --detach --port 0 && <%= config.bin %> sandbox stop',
    ],
    args: {},
    flags: {
      port: Flags.string({ summary: 'Port to listen on; 0 takes a free one.', helpValue: 'N', default: '8050' }),
      mode: Flags.option({
        summary: 'How requests are taken: by the letter, or as lenient as a .NET .asmx service.',
        options: ['strict', 'asmx'] as const,
        default: 'strict' as const,
      })(),
      detach: Flags.boolean({ summary: 'Leave it running in the background; `sandbox stop` stops it.' }),
      ...datasetFlags,
    },
  },
  ({ flags, context }) => startSandbox(context, flags),
);
