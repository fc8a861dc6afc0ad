import { defineCommand } from '../../kit/command.js';
import { faultHelp, startFlags, startSandbox } from '../../topics/sandbox/start.js';

export default defineCommand({
  summary: 'Serve the embedded service on this machine until Ctrl-C.',
  description:
    'SOAP 1.1 and 1.2 on the loopback address, for other programs and for profiles of your own. Its data are in a ' +
    'database file, which one server at a time uses; while one serves the default file, commands with --profile sandbox ' +
    'call it. It answers this machine only, also through a forwarded port. With --public-url it answers every request ' +
    'to that address, except for the forms of its pages and /faults: restrict yourself who can reach the ' +
    `address.\n\n${faultHelp}`,
  examples: [
    '<%= config.bin %> sandbox start',
    '<%= config.bin %> sandbox start --port 0 --relations 5000',
    "<%= config.bin %> sandbox start --port 0 --fault 'status=503,retry-after=1;every=3' --log requests.ndjson",
    '<%= config.bin %> sandbox start --port 0 --public-url https://crm-8050.example',
    '<%= config.bin %> sandbox start --detach --port 0 && <%= config.bin %> sandbox stop',
  ],
  flags: startFlags,
  run: ({ flags, context }) => startSandbox(context, flags),
});
