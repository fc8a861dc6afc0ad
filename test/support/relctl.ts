import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { whyStale, canRunHere, runHere } from './in-process.js';

const inRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The built program. */
export const program = inRoot('bin/run.js');

const stale = whyStale(inRoot('dist/start.cjs'), ['src', 'scripts/bundle.ts', 'scripts/start.cjs'].map(inRoot));
// A test of another program than that of the sources says nothing.
if (stale !== undefined) throw new Error(stale);

/** How a run of the program ended. */
export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A home of its own for a test: no file of the person who runs the tests is read or written. */
export interface Home {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

/** Makes a home in the temporary folder. */
export function home(): Home {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-test-'));
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    // What V8 made of the program is the same for every test.
    XDG_CACHE_HOME: inRoot('node_modules/.cache'),
  };
  return { folder, env, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Puts the program as `relctl` into a folder `bin` of a folder; gives that folder, and a PATH that begins with it. */
export function installIn(folder: string): { readonly bin: string; readonly PATH: string } {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(program, join(bin, 'relctl'));
  return { bin, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
}

/** What a run may be given besides its arguments. */
export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string | Uint8Array;
}

/** Runs the built program to its end, in this process where that makes no difference. */
export async function relctl(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { env = process.env, input = '' } = options;
  if (!canRunHere(args, env)) return relctlProcess(args, options);
  return { ...(await runHere(program, args, { env, input })), signal: null };
}

/**
 * Asserts how a run ends, and gives it.
 * @param stderr all of stderr, or what it matches
 * @param stdout all of stdout, or what it matches
 */
export async function ends<Ended extends Pick<Run, 'code' | 'stdout' | 'stderr'>>(
  run: Promise<Ended>,
  code: Run['code'],
  stderr?: string | RegExp,
  stdout?: string | RegExp,
): Promise<Ended> {
  const ended = await run;
  assert.equal(ended.code, code, ended.stderr || ended.stdout);
  for (const [name, expected] of Object.entries({ stderr, stdout })) {
    const text = name === 'stderr' ? ended.stderr : ended.stdout;
    if (typeof expected === 'string') assert.equal(text, expected, name);
    else if (expected !== undefined) assert.match(text, expected);
  }
  return ended;
}

/** What a process printed, and how it ended. */
async function ended(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  input: string | Uint8Array = '',
): Promise<Run> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Runs the built program to its end in a process of its own, for tests of the process. */
export const relctlProcess = (args: readonly string[], { env = process.env, input }: RunOptions = {}): Promise<Run> =>
  ended(spawn(process.execPath, [program, ...args], { env, timeout: 300_000 }), input);

/** Runs a line of bash to its end, in which `relctl` is the built program. */
export const inShell = (line: string, env: NodeJS.ProcessEnv): Promise<Run> =>
  ended(
    spawn('bash', ['--norc', '-c', `relctl() { "${process.execPath}" "${program}" "$@"; }; ${line}`], {
      env,
      timeout: 300_000,
    }),
  );
