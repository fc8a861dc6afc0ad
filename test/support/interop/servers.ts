import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operations } from '../../../src/contract/service.js';
import { writeWsdl } from '../../../src/wsdl/definitions.js';
import type { Home } from '../relctl.js';
import type { Tool } from '../skip.js';
import type { Scenario } from './scenarios.js';
import { changed, resultType, wireForm, type Change, type Json } from './shapes.js';
import { binaryNumbers, javaScriptDates, noNil, php, trimmedText, zone } from './stacks.js';

/** Namespace of the service that the servers are. */
export const namespace = 'http://crm.example/other';

/** Something that a server does not pass on. */
export interface ServerLoss {
  readonly words: string;
  readonly change: Change;
}

/** A SOAP stack that we did not write, as a server. */
export interface ServerStack {
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

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const unboundNil: ServerLoss = {
  words: 'answers nil with a prefix that it declares nowhere, which is no XML with namespaces: relctl refuses it',
  change: (_type, value) => (value === null ? undefined : value),
};

/** The stacks that answer relctl. */
export const servers: readonly ServerStack[] = [
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
export interface RunningServer {
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
export async function serve(
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
