import { defineCommand } from '../../cli/command.js';
import { faultHelp } from '../../topics/sandbox/faults.js';
import { startFlags, startSandbox } from '../../topics/sandbox/start.js';

export default defineCommand(
  {
    summary: 'Serve the embedded service on this machine until Ctrl-C.',
    description:
      'SOAP 1.1 and 1.2 on the loopback address, for other programs and for profiles of your own. Its data live on in a ' +
      'database file, one server at a time; while it runs on the usual one, commands with --profile sandbox talk to it. It ' +
      'answers this machine only, through a forwarded port as well. With --public-url it answers whoever that address ' +
      `brings, but for the forms of its pages and /faults: see to it that only those come who may.\n\n${faultHelp}`,
    examples: [
      '<%= config.bin %> sandbox start',
      '<%= config.bin %> sandbox start --port 0 --relations 5000',
      "<%= config.bin %> sandbox start --port 0 --fault 'status=503,retry-after=1;every=3' --log requests.ndjson",
      '<%= config.bin %> sandbox start --port 0 --public-url https://crm-8050.example',
      '<%= config.bin %> sandbox start --detach --port 0 && <%= config.bin %> sandbox stop',
    ],
    args: {},
    flags: startFlags,
  },
  ({ flags, context }) => startSandbox(context, flags),
);
