import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Run } from '../relctl.js';

const source = new URL('../../../src/formats/streams.ts', import.meta.url).href;

/** Node's arguments for a program that owns its streams as relctl does; the script sees `streams` and `big`, 5 MB. */
export const streamProgram = (script: string): readonly string[] => [
  '--import',
  'tsx',
  '--input-type=module',
  '-e',
  `import { createStreams } from ${JSON.stringify(source)};
   const stopping = new AbortController();
   const streams = createStreams(process.env, stopping.signal);
   const big = JSON.stringify(Array.from({ length: 50_000 }, (_, index) => 'x'.repeat(100) + index)) + '\\n';
   ${script}`,
];

/** Node's arguments for the built program. */
export const relctlProgram = (...args: readonly string[]): readonly string[] => [
  fileURLToPath(new URL('../../../bin/run.js', import.meta.url)),
  ...args,
];

/** Reads 32 KB, then waits, so that the pipe is full nearly all the time; at the end prints all that it got. */
const slowReader = `
  const { readSync } = require('node:fs');
  const pieces = [];
  const rest = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const piece = Buffer.alloc(32768);
    const size = readSync(0, piece);
    if (size === 0) break;
    pieces.push(piece.subarray(0, size));
    Atomics.wait(rest, 0, 0, 1);
  }
  process.stdout.write(Buffer.concat(pieces));`;

/** Runs a shell line in which `"$0" "$@"` is Node with these arguments. */
export function throughShell(
  line: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Run> {
  const child = spawn('bash', ['-c', line, process.execPath, ...args], {
    env: { ...env, SLOW_READER: slowReader },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Runs Node with these arguments and a slow reader behind a pipe; the exit code is the writer's. */
export const throughSlowPipe = (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Run> =>
  throughShell('"$0" "$@" | "$0" -e "$SLOW_READER"; exit "${PIPESTATUS[0]}"', args, env);
