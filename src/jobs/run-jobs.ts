import { kinds, type Kind } from '../errors/kinds.js';
import { RelctlError } from '../errors/relctl-error.js';
import type { Job } from './plan-jobs.js';
import { runJob, type JobEnd, type JobRunner } from './run-job.js';

/** How many jobs run at the same time, and when no more are started. */
export interface Pace extends JobRunner {
  readonly concurrency: number;
  /** Begin no job after one has failed. */
  readonly failFast: boolean;
  readonly onEnd: (end: JobEnd) => void;
}

/** Runs jobs in the order of the file, some at a time; one that fails does not stop the others. Never throws. */
export async function runJobs(jobs: readonly Job[], pace: Pace): Promise<readonly JobEnd[]> {
  const ends = new Map<Job, JobEnd>();
  const queue = [...jobs];
  const hasFailed = (): boolean => [...ends.values()].some(({ outcome }) => outcome === 'failed');
  const work = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      if (pace.signal.aborted || (pace.failFast && hasFailed())) {
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
  const found = Object.entries(kinds).find(([kind, { exitCode }]) => exitCode === code && kind !== 'interrupted');
  // The keys of the table are its kinds; Object.entries forgets that.
  return (found?.[0] as Kind | undefined) ?? 'partial';
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
