import { dirname } from 'node:path';
import type { Config } from '@oclif/core';
import { wrongNameIn } from '../kit/names/profile-names.js';
import { profileStore } from '../kit/session/profile-store.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { readBounded } from '../state/given-file.js';
import type { Context } from '../kit/host/context.js';
import { openGiven } from '../kit/host/environment.js';
import { sandboxName } from '../profiles/store/store.js';
import { knownCommands } from './job-commands.js';
import { refuseMistakes, type Refusal } from './mistakes.js';
import { planJobs, type Job } from './plan-jobs.js';

const mostBytes = 256 * 1024;

function unusable(file: string, what: string, code: string): RelctlError {
  return new RelctlError('usage', `${file} ${what}`, { facts: { path: 'FILE', code } });
}

async function textOf(context: Context, file: string, shown: string): Promise<string> {
  const bytes = await readBounded(openGiven(context, file), mostBytes);
  if (bytes === undefined) throw unusable(shown, `is larger than ${mostBytes / 1024} KiB`, 'too-large');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unusable(shown, 'is not UTF-8', 'encoding');
  }
}

function profileNames(context: Context): readonly string[] {
  return [...profileStore(context).names(), sandboxName];
}

/** How a job file is read. */
export interface ReadJobs extends Omit<Refusal, 'file'> {
  /** Profile of the jobs that name none themselves, before that of the defaults. */
  readonly profile?: string;
  /** Folder that calls are recorded in, of the jobs that name none themselves, before that of the defaults. */
  readonly record?: string;
  /** Begin every export anew. */
  readonly restart: boolean;
}

/** The jobs of a file, or of stdin by -. Throws `usage` for it and for its mistakes, and the signal's reason. */
export async function readJobFile(
  { context, config }: { readonly context: Context; readonly config: Config },
  file: string,
  how: ReadJobs,
): Promise<readonly Job[]> {
  const { pathOf, platform } = context.environment;
  const path = file === '-' ? undefined : pathOf(file);
  const shown = path === undefined ? '<stdin>' : file;
  const { jobs, mistakes } = planJobs(await textOf(context, file, shown), {
    commands: await knownCommands(config, context.loadCommand),
    profile: how.profile,
    record: how.record === undefined ? undefined : pathOf(how.record),
    profiles: profileNames(context),
    wrongNameIn: (profile, each) => wrongNameIn(context, profile, each),
    folder: path === undefined ? pathOf('.') : dirname(path),
    self: path,
    now: context.clock.date(),
    platform,
    restart: how.restart,
  });
  await refuseMistakes(context, mistakes, { ...how, file: shown });
  return jobs;
}

/** The names of the jobs that may call one of these operations through a profile; a job that names none may. */
export function jobsCalling(
  jobs: readonly Job[],
  { operations, profile }: { readonly operations: ReadonlySet<string>; readonly profile: string },
): readonly string[] {
  return jobs
    .filter((job) => job.profile === undefined || job.profile === profile)
    .filter((job) => job.operations.some((name) => operations.has(name)))
    .map(({ name }) => name);
}
