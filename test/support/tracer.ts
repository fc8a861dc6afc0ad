import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { skip } from './skip.js';
import { argv } from './argv.js';

/** Lets a program tell the most memory that it took, all of it: heap, buffers and code. */
interface PeakMeter {
  /** The environment for a run of the program. */
  readonly env: NodeJS.ProcessEnv;
  /** Bytes of the run that ended last. */
  take(): number;
}

/** Makes a meter with files in a folder. Skips where the system does not tell. */
export function peakMeter(context: Mocha.Context, folder: string, env: NodeJS.ProcessEnv): PeakMeter {
  if (!existsSync('/proc/self/status')) skip(context, 'there is no /proc here');
  const file = join(folder, 'peak');
  const preload = join(folder, 'peak.cjs');
  // Not process.resourceUsage(), which counts what took the process that started this one.
  writeFileSync(
    preload,
    `const { readFileSync, writeFileSync } = require('node:fs');
process.on('exit', () => {
  const [, kilobytes] = /VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'));
  writeFileSync(${JSON.stringify(file)}, String(kilobytes * 1024));
});
`,
  );
  return {
    env: { ...env, NODE_OPTIONS: `--require ${preload}` },
    take: () => {
      const peak = Number(readFileSync(file, 'utf8'));
      rmSync(file);
      return peak;
    },
  };
}

let known: string | undefined;

/** Why system calls cannot be made to fail here; undefined when they can. */
export function whyNoTracer(): string | undefined {
  known ??= tried();
  return known === '' ? undefined : known;
}

function tried(): string {
  const { error, status, stderr } = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', '-e', 'trace=none', 'true']);
  if (error !== undefined) return 'strace is not installed';
  return status === 0 ? '' : `strace may not trace: ${stderr.toString().split('\n')[0] ?? ''}`;
}

/** A system call of the program on one of the files watched. */
export interface TracedCall {
  readonly name: string;
  /** Which of the calls of this name it is, from 1 on. */
  readonly number: number;
  /** The call as strace shows it. */
  readonly text: string;
}

const calls = argv`
  openat write pwrite64 fsync fdatasync ftruncate fchmod rename renameat renameat2 link linkat unlink unlinkat
`;

const onPaths = (paths: readonly string[]): string[] => paths.flatMap((path) => ['-P', path]);

/** The words to put before a command so that its calls on these files are written down. */
export const recording = (paths: readonly string[], log: string): string[] =>
  argv`strace -f -qq -o ${log} ${onPaths(paths)} -e trace=${calls.join(',')}`;

/** The words to put before a command so that one call on these files fails with an error, or ends the process. */
export const failing = (
  paths: readonly string[],
  { name, number }: TracedCall,
  what: `error=${string}` | `signal=${string}`,
): string[] =>
  argv`strace -f -qq -o /dev/null ${onPaths(paths)} -e trace=${name} -e inject=${name}:${what}:when=${number}`;

/** The calls in a record, in their order. */
export function callsIn(record: string): TracedCall[] {
  const counts = new Map<string, number>();
  return record.split('\n').flatMap((line) => {
    const [, text = '', name = ''] = /^\d+\s+((\w+)\(.*)$/.exec(line) ?? [];
    if (name === '') return [];
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return [{ name, number, text }];
  });
}
