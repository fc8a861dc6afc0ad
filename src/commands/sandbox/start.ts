import { Flags } from '@oclif/core';
import { defineCommand } from '../../runtime/command.js';
import { startSandbox } from '../../runtime/sandbox-start.js';

export default defineCommand(
  {
    summary: 'Serve the embedded service on this machine until Ctrl-C.',
    description:
      'SOAP 1.1 and 1.2 on the loopback address, for other programs and for profiles of your own. Its data live on in a ' +
      'database file; while it runs, commands with --profile sandbox talk to it.',
    examples: ['<%= config.bin %> sandbox start', '<%= config.bin %> sandbox start --port 0 --relations 5000'],
    args: {},
    flags: {
      port: Flags.string({ summary: 'Port to listen on; 0 takes a free one.', helpValue: 'N', default: '8050' }),
      relations: Flags.string({
        summary: 'Number of relations, when the data set is made anew.',
        helpValue: 'N',
      }),
      seed: Flags.string({ summary: 'Seed of the data set, when it is made anew.', helpValue: 'N' }),
      database: Flags.string({ summary: 'Database file to use instead of the usual one.', helpValue: 'FILE' }),
    },
  },
  ({ flags, context }) => startSandbox(context, flags),
);
