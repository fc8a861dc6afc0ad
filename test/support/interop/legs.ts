import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { operations } from '../../../src/contract/service.js';
import type { SandboxMode } from '../../../src/sandbox/context.js';
import { known } from '../../../src/sandbox/dataset/known.js';
import { serviceName } from '../../../src/wsdl/definitions.js';
import { home, relctl, type Home } from '../relctl.js';
import { sandboxHere } from '../sandbox.js';
import { answerOf, settled, type Answer, type Printed } from './answers.js';
import { calls, type Call } from './calls.js';
import { wireForm, type Json } from './shapes.js';
import { zone, type Stack } from './stacks.js';

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
export async function askByRelctl(mode: SandboxMode): Promise<readonly Answer[]> {
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
export interface Way {
  readonly version: '1.1' | '1.2';
  readonly mode: SandboxMode;
}

/** What a stack says to every call, in order; it reads the WSDL from the sandbox itself. */
export async function askBy({ command, handing }: Stack, { version, mode }: Way): Promise<readonly Answer[]> {
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
