import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { RelctlError, codeOf } from '../core/errors/relctl-error.js';
import type { Context } from '../kit/host/context.js';
import { jobVariable, type JobReport, type StopOrder } from '../kit/host/parent-channel.js';
import type { Job } from './plan-jobs.js';
import { defined, isObject } from '../core/values/value.js';
import { kinds, type Kind } from '../core/errors/kinds.js';

/** How a job ended. */
export interface JobEnd {
  readonly job: Job;
  readonly outcome: 'complete' | 'failed' | 'interrupted' | 'not started';
  /** Undefined when it was not started, or ended by a signal of others. */
  readonly exitCode?: number;
  readonly rows?: number;
  readonly seconds?: number;
  readonly reason?: string;
}

interface JobRunner {
  readonly context: Pick<Context, 'environment' | 'signal' | 'clock'>;
  readonly onLine: (job: Job, line: string) => void;
}

const mostCharactersOfLine = 64 * 1024;

function readLines(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (rest.length > mostCharactersOfLine) {
      onLine(rest);
      rest = '';
    }
  });
  stream?.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}

/** The output of a job does not depend on the terminal of the run: variables for terminals are left out. */
function variablesOf({ variables }: Context['environment'], { name }: Job): NodeJS.ProcessEnv {
  return { ...variables, RELCTL_FORCE_TTY: undefined, RELCTL_OUTPUT: undefined, [jobVariable]: name };
}

function reportOf(message: unknown): JobReport {
  const { rows, reason } = isObject(message) ? message : {};
  return defined({
    rows: typeof rows === 'number' ? rows : undefined,
    reason: typeof reason === 'string' ? reason : undefined,
  });
}

function stopOf(signal: AbortSignal): StopOrder['stop'] {
  const code = RelctlError.from(signal.reason).facts.foreignCode;
  return code === 'SIGINT' || code === 'SIGHUP' ? code : 'SIGTERM';
}

function stopWith(child: ChildProcess, signal: AbortSignal): () => void {
  const stop = (): void => {
    const order: StopOrder = { stop: stopOf(signal) };
    if (child.connected) child.send(order, () => undefined);
  };
  signal.addEventListener('abort', stop, { once: true });
  return () => signal.removeEventListener('abort', stop);
}

const interruptedCodes: readonly (number | null)[] = [129, 130, 143];

function outcomeOf(code: number | null, stopped: boolean): JobEnd['outcome'] {
  if (code === 0) return 'complete';
  return stopped && (code === null || interruptedCodes.includes(code)) ? 'interrupted' : 'failed';
}

function startProcess(job: Job, { context: { environment } }: JobRunner): ChildProcess {
  return spawn(process.execPath, [environment.program, ...job.argv], {
    env: variablesOf(environment, job),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    windowsHide: true,
  });
}

function notStarted(job: Job, thrown: unknown): JobEnd {
  const code = codeOf(thrown) ?? 'unknown reason';
  const reason = code === 'E2BIG' ? 'its flags are too long for a process' : `the process cannot be started (${code})`;
  return { job, outcome: 'failed', exitCode: kinds.local.exitCode, reason };
}

/**
 * Runs one job as a process of its own: this program, without a shell, its stdin closed, bound to us by a channel so that
 * it ends with us. Never throws: a failure is in the result.
 */
async function runJob(job: Job, runner: JobRunner): Promise<JobEnd> {
  try {
    return await ended(job, startProcess(job, runner), runner);
  } catch (thrown) {
    return notStarted(job, thrown);
  }
}

async function ended(job: Job, child: ChildProcess, runner: JobRunner): Promise<JobEnd> {
  const { signal: stop, clock } = runner.context;
  const startedAt = clock.nowMs();
  const release = stopWith(child, stop);
  let report: JobReport = {};
  child.on('message', (message) => (report = { ...report, ...reportOf(message) }));
  for (const stream of [child.stdout, child.stderr]) readLines(stream, (line) => runner.onLine(job, line));
  try {
    // What the event `close` gives.
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    const { rows, reason = signal === null ? undefined : `ended by ${signal}` } = report;
    return {
      job,
      outcome: outcomeOf(code, stop.aborted),
      ...defined({ exitCode: code ?? undefined, rows, reason }),
      seconds: Math.round((clock.nowMs() - startedAt) / 100) / 10,
    };
  } finally {
    release();
  }
}

interface Schedule extends JobRunner {
  readonly concurrency: number;
  readonly failFast: boolean;
  readonly onEnd: (end: JobEnd) => void;
}

/** Runs jobs in the order of the file, some at a time; one that fails does not stop the others. Never throws. */
export async function runJobs(jobs: readonly Job[], pace: Schedule): Promise<readonly JobEnd[]> {
  const ends = new Map<Job, JobEnd>();
  const queue = [...jobs];
  const hasFailed = (): boolean => [...ends.values()].some(({ outcome }) => outcome === 'failed');
  const work = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      if (pace.context.signal.aborted || (pace.failFast && hasFailed())) {
        ends.set(job, { job, outcome: 'not started' });
        continue;
      }
      const end = await runJob(job, pace);
      ends.set(job, end);
      pace.onEnd(end);
    }
  };
  await Promise.all(Array.from({ length: Math.min(pace.concurrency, jobs.length) }, work));
  return jobs.flatMap((job) => ends.get(job) ?? []);
}

/** The kind that an exit code of a job stands for; `partial` for a job that was killed, because it can be resumed. */
function kindOf(code: number | undefined): Kind {
  const entry = Object.entries(kinds).find(([kind, { exitCode }]) => exitCode === code && kind !== 'interrupted');
  // The keys of the table are its kinds; Object.entries forgets that.
  return (entry?.[0] as Kind | undefined) ?? 'partial';
}

const counted = (count: number, all: number): string => `${count} of ${all} jobs failed`;

/**
 * The failure of a whole run: of the kind that all its failures share, else `partial`; undefined when every job is complete.
 * @param again the command that runs the failed jobs again
 */
export function failureOf(
  ends: readonly JobEnd[],
  again: (names: readonly string[]) => string,
): RelctlError | undefined {
  const failed = ends.filter(({ outcome }) => outcome === 'failed');
  const notRun = ends.filter(({ outcome }) => outcome === 'not started');
  if (failed.length === 0) return undefined;
  const shared = new Set(failed.map(({ exitCode }) => kindOf(exitCode)));
  const [first = 'partial'] = shared;
  const which = failed.map(
    ({ job, exitCode }) => `${job.name} (${exitCode === undefined ? 'killed' : `exit code ${exitCode}`})`,
  );
  const rest = notRun.length === 0 ? '' : `; not started: ${notRun.map(({ job }) => job.name).join(', ')}`;
  return new RelctlError(
    shared.size === 1 ? first : 'partial',
    `${counted(failed.length, ends.length)}: ${which.join(', ')}${rest}`,
    {
      facts: { code: 'jobs' },
      hint: again([...failed, ...notRun].map(({ job }) => job.name)),
    },
  );
}
