import { Flags } from '@oclif/core';
import { defineCommand } from '../../cli/command.js';
import { datasetFlags } from '../../cli/flags/values/dataset.js';
import { faultHelp } from '../../topics/sandbox/faults.js';
import { choiceOf } from '../../cli/flags/typed.js';
import { startSandbox } from '../../topics/sandbox/start.js';

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
    flags: {
      port: Flags.string({ summary: 'Port to listen on; 0 takes a free one.', helpValue: 'N', default: '8050' }),
      mode: Flags.string({
        summary: 'How requests are taken: by the letter, or as lenient as a .NET .asmx service.',
        helpValue: 'strict|asmx',
        default: 'strict',
      }),
      fault: Flags.string({
        summary: 'Misbehave, as a line of a fault plan says; may be given more than once.',
        helpValue: 'SPEC',
        multiple: true,
        multipleNonGreedy: true,
      }),
      log: Flags.string({
        summary: 'Log each request and its effect in this file, a line of JSON each; secrets are masked.',
        helpValue: 'FILE',
      }),
      'public-url': Flags.string({
        summary: 'Address under which a forwarded port or a proxy brings others here: links, WSDL and Host follow it.',
        helpValue: 'URL',
      }),
      detach: Flags.boolean({ summary: 'Leave it running in the background; `sandbox stop` stops it.' }),
      ...datasetFlags,
    },
  },
  ({ flags, context }) => startSandbox(context, { ...flags, mode: choiceOf(flags.mode, '--mode', ['strict', 'asmx']) }),
);
