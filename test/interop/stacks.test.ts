import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { operations } from '../../src/contract/service.js';
import { type SandboxMode, sandboxModes } from '../../src/sandbox/context.js';
import { known } from '../../src/sandbox/dataset/known.js';
import { serviceName } from '../../src/wsdl/definitions.js';
import { home, relctl, type Home } from '../support/relctl.js';
import { sandboxHere } from '../support/sandbox.js';
import {
  answerOf,
  settled,
  type Answer,
  type Printed,
  calls,
  type Call,
  wireForm,
  type Json,
} from '../support/interop/calls.js';
import { zone, type Stack, forget, stacks, pageWith, writePage, writesPage } from '../support/interop/stacks.js';
import { table } from '../../scripts/docs/markdown.js';
import { needs } from '../support/skip.js';

/** Runs something against a `sandbox start` with a data set of its own. */
async function withSandbox<T>(mode: SandboxMode, run: (url: string, place: Home) => Promise<T>): Promise<T> {
  const place = home();
  const running = await sandboxHere(place.env, ['--mode', mode]);
  try {
    return await run(running.url, place);
  } finally {
    await running.stop();
    place.remove();
  }
}

const printedError = (stderr: string): string => {
  const { error } = JSON.parse(stderr) as { error: { message: string } };
  return error.message;
};

async function answerOfRelctl({ operation, parameters }: Call, place: Home): Promise<Answer> {
  const args = ['call', operation, '--input', '-', '--profile', 'sandbox', '-o', 'json', '--yes'];
  const run = await relctl(args, { env: place.env, input: JSON.stringify(parameters) });
  if (run.code === 0) return { result: JSON.parse(run.stdout) as Json };
  assert.ok(run.code === 4 || run.code === 5, `${operation}: ${run.stderr}`);
  return { refused: printedError(run.stderr) };
}

/** What relctl's JSON says to every call of a sandbox in a mode, in order. Neighbours that only read go out together. */
async function askByRelctl(mode: SandboxMode): Promise<readonly Answer[]> {
  return withSandbox(mode, async (_url, place) => {
    const answers: Answer[] = [];
    for (let index = 0; index < calls.length;) {
      const rest = calls.slice(index, index + 4);
      const write = rest.findIndex(({ operation }) => operations[operation].access !== 'read');
      const together = rest.slice(0, write === -1 ? rest.length : Math.max(write, 1));
      answers.push(...(await Promise.all(together.map((call) => answerOfRelctl(call, place)))));
      index += together.length;
    }
    return settled(answers);
  });
}

/** How the sandbox is asked, and takes requests. */
interface Way {
  readonly version: '1.1' | '1.2';
  readonly mode: SandboxMode;
}

/** What a stack says to every call, in order; it reads the WSDL from the sandbox itself. */
async function askBy({ command, handing }: Stack, { version, mode }: Way): Promise<readonly Answer[]> {
  return withSandbox(mode, async (url, place) => {
    const job = {
      wsdl: `${url}/V1/service.asmx?WSDL`,
      version,
      port: `${serviceName}Soap${version === '1.2' ? '12' : ''}`,
      credentials: known.credentials,
      calls: calls.map(({ operation, parameters }) => ({
        operation,
        // Checked by the types of the contract where the call is written down.
        parameters: wireForm(operations[operation].parameters, parameters as Json),
      })),
    };
    const output = await outputOf(command(), JSON.stringify(job), place.env);
    const printed = JSON.parse(output) as readonly Printed[];
    return settled(calls.map((call, index) => answerOf(call, printed[index] ?? {}, handing)));
  });
}

async function outputOf(command: readonly string[], input: string, env: NodeJS.ProcessEnv): Promise<string> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env: { ...env, TZ: zone.name }, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  assert.equal(code, 0, stderr.slice(-2000));
  return stdout;
}

const controls = /\\u00(?:0[0-8bcef]|1[0-9a-f])/;

const ways = sandboxModes.flatMap((mode) => (['1.1', '1.2'] as const).map((version) => ({ version, mode })));

/** Versions and modes in which everything was the same, by stack. */
const found = new Map<string, readonly string[]>();

describe('A SOAP stack that we did not write', function () {
  const answersOfRelctl = new Map<SandboxMode, readonly Answer[]>();
  const expectedOf = (mode: SandboxMode): readonly Answer[] => answersOfRelctl.get(mode) ?? [];

  before(async () => {
    for (const mode of sandboxModes) answersOfRelctl.set(mode, await askByRelctl(mode));
  });

  it('is compared with answers that are worth it: of every operation, in every form', () => {
    assert.deepEqual(new Set(calls.map(({ operation }) => operation)), new Set(Object.keys(operations)));
    const expected = expectedOf('strict');
    const results = expected.filter((answer) => 'result' in answer);
    assert.equal(expected.length - results.length, 3);
    assert.equal(results.filter((answer) => controls.test(JSON.stringify(answer))).length, 1);
    assert.ok(JSON.stringify(results).length > 300_000);
  });

  for (const stack of stacks) {
    describe(`${stack.name} (${stack.source})`, () => {
      for (const { version, mode } of ways) {
        it(`reads the WSDL and gets from every operation what relctl gets, in SOAP ${version}, taken as ${mode}`, async function () {
          needs(this, ...stack.tools);
          const expected = expectedOf(mode);
          const answers = await askBy(stack, { version, mode });
          const losses = stack.losses.filter((loss) => loss.mode === undefined || loss.mode === mode);
          assert.deepEqual(forget(losses, answers), forget(losses, expected));
          // What it loses is said, and no more than it loses.
          for (const loss of losses) {
            const others = losses.filter((other) => other !== loss);
            assert.notDeepEqual(forget(others, answers), forget(others, expected), `does not lose: ${loss.words}`);
          }
          found.set(stack.name, [...(found.get(stack.name) ?? []), `${version} ${mode}`]);
        });
      }
    });
  }
});

describe('What SOAP stacks that we did not write get from the sandbox', () => {
  it('is the table of docs/interop.md; INTEROP_WRITE=1 writes it', async function () {
    needs(this, ...stacks.flatMap(({ tools }) => tools));
    const count = new Set(calls.map(({ operation }) => operation)).size;
    const losses = [...new Set(stacks.flatMap((stack) => stack.losses))];
    const rows = [
      ['SOAP, and how the sandbox takes it', ...stacks.map(({ name }) => (found.get(name) ?? []).join(', '))],
      ['operations with the same answers', ...stacks.map(() => `${count} of ${Object.keys(operations).length}`)],
      ...losses.map((loss) => [
        `loss: ${loss.words}`,
        ...stacks.map((stack) => (stack.losses.includes(loss) ? 'yes' : '')),
      ]),
    ];
    const text = table(['', ...stacks.map(({ name }) => name)], rows);
    const { present, wanted } = await pageWith('clients', text);
    if (writesPage) writePage(wanted);
    else assert.equal(present, wanted);
  });
});
