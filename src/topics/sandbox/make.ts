import type { QuietFlag } from '../../kit/host/notes.js';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { defaultParameters } from '../../sandbox/dataset/making.js';
import { openSandbox } from '../../sandbox/sandbox.js';
import { openWork, moveStore, removeStore, type ReportProgress } from '../../sandbox/store/create.js';
import type { Context } from '../../kit/host/context.js';
import { openProgressLine, seconds, shareOf } from '../../kit/host/progress.js';

/** What data to make; what is left out is usual. */
export interface DataOptions {
  readonly relations?: number;
  readonly seed?: number;
}

/** Up to this number of relations the data are made in this process; with more, in one of their own. */
const fewRelations = 1000;

/** In the environment of a process that makes data for another: how far it is goes to this descriptor. */
const makerVariable = 'RELCTL_SANDBOX_MAKER';
const makerDescriptor = 3;

const reportEveryMs = 100;

/** Reports progress to the parent process. When that has ended, the write fails, and ends the making. */
function reportToParent(context: Context): ReportProgress {
  let reportedAt = -reportEveryMs;
  return (what, at, of) => {
    const now = context.clock.nowMs();
    if (now - reportedAt < reportEveryMs) return;
    reportedAt = now;
    writeSync(makerDescriptor, `${what} ${at + 1} of ${of}\n`);
  };
}

const isMaker = (context: Context): boolean => context.environment.variables[makerVariable] !== undefined;

async function makeHere(context: Context, made: string, options: DataOptions): Promise<void> {
  const report = isMaker(context) ? { report: reportToParent(context) } : {};
  (await openSandbox({ file: made, ...options, ...report })).close();
}

function started(context: Context, made: string, dataOptions: DataOptions): ChildProcess {
  const { program, variables } = context.environment;
  const flags = Object.entries(dataOptions).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return spawn(process.execPath, [program, 'sandbox', 'reset', '--db', made, ...flags], {
    env: { ...variables, RELCTL_FORCE_TTY: undefined, [makerVariable]: '1' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

/** Adds to `relations 3 of 12` the share that is done and the time until the step ends; later steps are not known. */
export function stepTeller(nowMs: () => number): (said: string) => string {
  let [step, beganMs, before] = ['', 0, 0];
  return (said) => {
    const [, name = said, at = '0', of = '0'] = /^(.*) (\d+) of (\d+)$/.exec(said) ?? [];
    const done = Number(at);
    if (name !== step) [step, beganMs, before] = [name, nowMs(), done];
    return `${said}${shareOf({ done, before, of: Number(of) }, nowMs() - beganMs)}`;
  };
}

/** Makes the data in a process of its own: one statement of SQLite can take minutes and cannot be cancelled, a process can. */
async function makeElsewhere(
  context: Context,
  flags: QuietFlag,
  work: { made: string; wanted: DataOptions },
): Promise<void> {
  context.signal.throwIfAborted();
  const line = openProgressLine(context, flags);
  const child = started(context, work.made, work.wanted);
  const [, , , pipe] = child.stdio;
  if (pipe !== null && pipe !== undefined && 'read' in pipe) {
    const withShare = stepTeller(context.clock.nowMs);
    createInterface({ input: pipe }).on('line', (text) => {
      const message = withShare(text);
      line.report((elapsed) => `creating the data: ${message}, ${seconds(elapsed)}`);
    });
  }
  const kill = (): boolean => child.kill('SIGKILL');
  context.signal.addEventListener('abort', kill, { once: true });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  // What the event `close` gives.
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  context.signal.removeEventListener('abort', kill);
  await line.end();
  context.signal.throwIfAborted();
  if (code === 0) return;
  const [said = ''] = complaint.trim().split('\n');
  const reason = said.replace(/^Error: /, '') || `its process ended by ${signal ?? `exit code ${String(code)}`}`;
  throw new RelctlError('local', `relctl cannot create the data: ${reason}`, { facts: { code: 'not-made' } });
}

/**
 * Makes a database of the embedded service in a folder of its own and moves it to its place when it is complete, so that
 * an interrupted run leaves the old one as it was. With `anew` it replaces an existing database; without, one that exists by then is kept. Throws `local`, and
 * the reason of the signal.
 */
export async function makeDatabase(
  context: Context,
  flags: QuietFlag,
  { file, wanted: options, anew }: { readonly file: string; readonly wanted: DataOptions; readonly anew: boolean },
): Promise<void> {
  const folder = openWork(file);
  try {
    const made = join(folder, 'made.db');
    const isSmall = (options.relations ?? defaultParameters.relations) <= fewRelations;
    if (isSmall || isMaker(context)) await makeHere(context, made, options);
    else await makeElsewhere(context, flags, { made, wanted: options });
    if (anew) removeStore(file);
    moveStore(made, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** True for data that take long to make. */
export const areMany = ({ relations = 0 }: DataOptions): boolean => relations > fewRelations;
