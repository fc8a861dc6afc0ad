import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';
import { operations } from '../../src/contract/service.js';
import { writeWsdl } from '../../src/wsdl/definitions.js';
import { ends, type Home, home, relctl, type Run } from '../support/relctl.js';
import { type Tool, needs } from '../support/skip.js';
import {
  type Scenario,
  scenarios,
  binaryNumbers,
  javaScriptDates,
  noNil,
  php,
  trimmedText,
  zone,
  pageWith,
  writePage,
  writesPage,
} from '../support/interop/stacks.js';
import {
  changed,
  resultType,
  wireForm,
  type Change,
  type Json,
  isRecord,
  printedForm,
} from '../support/interop/calls.js';
import type { RecordType } from '../../src/contract/build.js';
import { credentialsField } from '../../src/contract/records/shared.js';
import { table } from '../../scripts/docs/markdown.js';

/** Namespace of the service that the servers are. */
const namespace = 'http://crm.example/other';

/** Something that a server does not pass on. */
interface ServerLoss {
  readonly words: string;
  readonly change: Change;
}

/** A SOAP stack that we did not write, as a server. */
interface ServerStack {
  readonly name: string;
  readonly source: string;
  /** What it is made of besides Node and our own packages. */
  readonly tools: readonly Tool[];
  /** The program, which says its port when it listens. */
  readonly command: readonly string[];
  /** Of what it is called with. */
  readonly deaf: readonly ServerLoss[];
  /** Of what it answers. */
  readonly dumb: readonly ServerLoss[];
}

const path = (file: string): string => fileURLToPath(new URL(`programs/${file}`, import.meta.url));

const unboundNil: ServerLoss = {
  words: 'answers nil with a prefix that it declares nowhere, which is no XML with namespaces: relctl refuses it',
  change: (_type, value) => (value === null ? undefined : value),
};

/** The stacks that answer relctl. */
const servers: readonly ServerStack[] = [
  {
    name: 'PHP SoapServer',
    source: 'Debian: php-cli, php-soap',
    tools: [php],
    command: ['php', '-S', '127.0.0.1:0', path('php-server.php')],
    deaf: [],
    dumb: [],
  },
  {
    name: 'npm soap',
    source: 'npm: soap',
    tools: [],
    command: [process.execPath, path('npm-soap-server.mjs')],
    deaf: [trimmedText, noNil, binaryNumbers, javaScriptDates],
    dumb: [unboundNil],
  },
];

/** A server that listens. */
interface RunningServer {
  readonly url: string;
  /** What it was called with, in order. */
  readonly called: () => readonly { readonly operation: string; readonly parameters: Json }[];
  stop(): Promise<void>;
}

/** What a server is to answer: by operation, or by operation and page; in the shape that stacks take. */
function answersOf(scenarios: readonly Scenario[], dumb: readonly ServerLoss[]): Json {
  const entries = scenarios.flatMap(({ operation, answers, fault }): [string, Json][] => {
    if (fault !== undefined) return [[operation, { fault }]];
    const type = resultType(operations[operation]);
    return answers.map((answer, index) => {
      const said = dumb.reduce<Json>((left, loss) => changed(type, left, loss.change) ?? {}, answer);
      const key = answers.length === 1 ? operation : `${operation}/${index + 1}`;
      return [key, { result: wireForm(type.fields, said) }];
    });
  });
  return Object.fromEntries(entries);
}

/** Starts a server with what it is to answer. */
async function serve(
  { command, dumb }: Pick<ServerStack, 'command' | 'dumb'>,
  scenarios: readonly Scenario[],
  { place, version }: { readonly place: Home; readonly version: '1.1' | '1.2' },
): Promise<RunningServer> {
  const files = {
    wsdl: join(place.folder, 'wsdl'),
    answers: join(place.folder, 'answers'),
    log: join(place.folder, 'log'),
  };
  // The address in a description is but a hint: the server does not know its port yet.
  const address = 'http://127.0.0.1/V1/service.asmx';
  writeFileSync(files.wsdl, writeWsdl({ operations: Object.values(operations), namespace, address }));
  writeFileSync(files.answers, JSON.stringify(answersOf(scenarios, dumb)));
  writeFileSync(files.log, '');
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: {
      ...place.env,
      TZ: zone.name,
      RELCTL_WSDL: files.wsdl,
      RELCTL_ANSWERS: files.answers,
      RELCTL_LOG: files.log,
      RELCTL_SOAP_VERSION: version,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const port = await new Promise<string>((resolve, reject) => {
    let output = '';
    const look = (text: Buffer): void => {
      output += text.toString();
      const found = /(?:^|127\.0\.0\.1:)(\d+)\)? ?(?:started)?\n/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('close', () => reject(new Error(`the server ended: ${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    called: () =>
      readFileSync(files.log, 'utf8')
        .split('\n')
        .filter((text) => text !== '')
        // The server programs write these lines.
        .map((text) => JSON.parse(text) as { operation: string; parameters: Json }),
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

const credentials = {
  ApiKey: 'a0000000-0000-4000-8000-00000000000a',
  DatabaseId: null,
  UserId: 'b0000000-0000-4000-8000-00000000000b',
  UserName: 'été',
  Password: '<p&ss>',
};

const requestType = ({ operation }: Scenario): RecordType => ({
  ...resultType(operations[operation]),
  fields: { credentials: credentialsField, ...operations[operation].parameters },
});

const without = (losses: readonly ServerLoss[], type: RecordType, value: Json): Json =>
  losses.reduce<Json>((left, loss) => changed(type, left, loss.change) ?? {}, value);

const pageOf = (asked: Json): number => (isRecord(asked) ? Number(asked['pageNumber'] ?? 0) : 0);

/** What the server was called with, but for the name and version of relctl, which it says itself. */
function heard(scenario: Scenario, { called }: RunningServer, losses: readonly ServerLoss[]): readonly Json[] {
  const type = requestType(scenario);
  const mine = called().filter(({ operation }) => operation === scenario.operation);
  const heardNow = mine.map(({ parameters }) => {
    const printed = printedForm(type, parameters);
    assert.ok(isRecord(printed) && isRecord(printed['credentials']));
    const { SourceApplication, ...who } = printed['credentials'];
    assert.ok(isRecord(SourceApplication) && SourceApplication['Name'] === 'relctl');
    return without(losses, type, { ...printed, credentials: who });
  });
  // Pages that are asked for ahead may overtake each other.
  return heardNow.sort((left, right) => pageOf(left) - pageOf(right));
}

const printedBy = (run: Run): Json => {
  if (run.code === 0) return JSON.parse(run.stdout) as Json;
  const { error } = JSON.parse(run.stderr) as { error: { message: string } };
  return error.message;
};

/** Versions in which it went well, by stack. */
const found = new Map<string, readonly string[]>();

/** A list is printed without the result that it is in. */
const inResult = (printed: Json): Json => (Array.isArray(printed) ? { Relations: printed } : printed);

describe('relctl, asking a SOAP stack that we did not write', function () {
  const ask = (scenario: Scenario, url: string, { version, place }: { version: string; place: Home }): Promise<Run> => {
    const { ApiKey, UserId, UserName, Password } = credentials;
    const env = {
      ...place.env,
      // They know the pages that they were told.
      RELCTL_FIRST_PAGE: '1',
      RELCTL_BASE_URL: url,
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: ApiKey,
      RELCTL_USER_ID: UserId,
      RELCTL_USER_NAME: UserName,
      RELCTL_PASSWORD: Password,
    };
    const args = [...scenario.args, '--set', `soapVersion=${version}`, '-o', 'json', '--set', 'retries=0'];
    return relctl(args, { env, input: JSON.stringify(scenario.parameters) });
  };

  for (const stack of servers) {
    describe(`${stack.name} (${stack.source})`, () => {
      for (const version of ['1.1', '1.2'] as const) {
        it(`is understood and understands, in SOAP ${version}`, async function () {
          needs(this, ...stack.tools);
          const place = home();
          const server = await serve(stack, scenarios, { place, version });
          try {
            const runs = await Promise.all(
              scenarios.map(
                async (scenario) => [scenario, await ask(scenario, server.url, { version, place })] as const,
              ),
            );
            for (const [scenario, run] of runs) {
              const { operation, words, printed, code, parameters } = scenario;
              assert.equal(run.code, code, `${words}: ${run.stderr}`);
              const answer = resultType(operations[operation]);
              const expected = typeof printed === 'string' ? printed : without(stack.dumb, answer, inResult(printed));
              assert.deepEqual(inResult(printedBy(run)), expected, words);
              const given = (Array.isArray(parameters) ? parameters : [parameters]) as readonly Json[];
              // Pages are asked for ahead: one more than there are may be on its way.
              const asked = heard(scenario, server, stack.deaf).slice(0, given.length);
              const whole = given.map((each) => {
                assert.ok(isRecord(each));
                return without(stack.deaf, requestType(scenario), { credentials, ...each });
              });
              assert.deepEqual(asked, whole, words);
            }
            found.set(stack.name, [...(found.get(stack.name) ?? []), version]);
          } finally {
            await server.stop();
            place.remove();
          }
        });
      }

      for (const loss of stack.dumb) {
        it(`still ${loss.words}`, async function () {
          needs(this, ...stack.tools);
          const place = home();
          const server = await serve({ ...stack, dumb: [] }, scenarios, { place, version: '1.1' });
          try {
            const [first] = scenarios;
            assert.ok(first !== undefined);
            await ends(ask(first, server.url, { version: '1.1', place }), 7, /the prefix 'xsi' is not bound/);
          } finally {
            await server.stop();
            place.remove();
          }
        });
      }
    });
  }
});

describe('What relctl exchanges with servers that we did not write', () => {
  it('is the table of docs/interop.md; INTEROP_WRITE=1 writes it', async function () {
    needs(this, ...servers.flatMap(({ tools }) => tools));
    const losses = [...new Set(servers.flatMap(({ deaf, dumb }) => [...deaf, ...dumb]))];
    const rows = [
      ...scenarios.map(({ words }) => [words, ...servers.map(({ name }) => (found.get(name) ?? []).join(', '))]),
      ...losses.map((loss) => [
        `loss: ${loss.words}`,
        ...servers.map(({ deaf, dumb }) => (deaf.includes(loss) || dumb.includes(loss) ? 'yes' : '')),
      ]),
    ];
    const text = table(['exchanged, in SOAP', ...servers.map(({ name }) => name)], rows);
    const { present, wanted } = await pageWith('servers', text);
    if (writesPage) writePage(wanted);
    else assert.equal(present, wanted);
  });
});
