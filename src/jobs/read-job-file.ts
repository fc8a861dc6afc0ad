import { dirname } from 'node:path';
import type { Config } from '@oclif/core';
import { wrongNameIn } from '../names/profile-names.js';
import { profileStore } from '../kit/session/profile-store.js';
import { shellWord } from '../core/text/text.js';
import { escapeForTerminal } from '../formats/escape.js';
import type { Code } from '../core/errors/codes.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { readBounded } from '../state/input-file.js';
import type { Context } from '../kit/host/context.js';
import { streamInput } from '../kit/host/environment.js';
import { sandboxName } from '../profiles/store/store.js';
import { knownCommands } from './job-commands.js';
import { planJobs, type Job } from './plan-jobs.js';
import type { Mistake } from './yaml-file.js';

const mostBytes = 256 * 1024;

function unusable(file: string, what: string, code: Code): RelctlError {
  return new RelctlError('usage', `${file} ${what}`, { facts: { path: 'FILE', code } });
}

async function textOf(context: Context, file: string, name: string): Promise<string> {
  const bytes = await readBounded(streamInput(context, file), mostBytes);
  if (bytes === undefined) throw unusable(name, `is larger than ${mostBytes / 1024} KiB`, 'too-large');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unusable(name, 'is not UTF-8', 'encoding');
  }
}

const mostPrintedMistakes = 20;

/** Prints every mistake as `FILE:LINE:COLUMN: what`, in the order of the file, and throws `usage` for them. */
async function refuseMistakes(
  context: Context,
  mistakes: readonly Mistake[],
  { file, undone }: { readonly file: string } & Pick<ReadJobs, 'undone'>,
): Promise<never> {
  const ordered = [...mistakes].sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
  const lines = ordered.map(({ at, message }) => `${file}:${at.line}:${at.column}: ${message}`);
  const printed = lines.slice(0, mostPrintedMistakes);
  if (lines.length > printed.length) printed.push(`and ${lines.length - printed.length} more`);
  const isText = context.errorShape === 'text';
  if (isText) for (const line of printed) await context.streams.err.write(`${escapeForTerminal(line)}\n`);
  throw new RelctlError(
    'usage',
    `${file} has ${lines.length === 1 ? '1 mistake' : `${lines.length} mistakes`}; ${undone}`,
    {
      facts: { path: file, code: 'job-file' },
      advice: 'Correct the file; each mistake has its line and column.',
      hint: file === '<stdin>' || process.platform === 'win32' ? '--dry-run' : `\${EDITOR:-vi} ${shellWord(file)}`,
      // In text they stand above.
      data: isText ? undefined : ordered.map(({ at, message }) => ({ file, ...at, message })),
    },
  );
}

/** How a job file is read. */
export interface ReadJobs {
  /** What is not done for a file with mistakes: `nothing was run`. */
  readonly undone: string;
  /** Profile of the jobs that name none themselves, before that of the defaults. */
  readonly profile?: string;
  /** Folder that calls are recorded in, of the jobs that name none themselves, before that of the defaults. */
  readonly record?: string;
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
  const name = path === undefined ? '<stdin>' : file;
  const { jobs, mistakes } = planJobs(await textOf(context, file, name), {
    commands: await knownCommands(config, context.loadCommand),
    profile: how.profile,
    record: how.record === undefined ? undefined : pathOf(how.record),
    profiles: [...profileStore(context).names(), sandboxName],
    wrongNameIn: (profile, each) => wrongNameIn(context, profile, each),
    folder: path === undefined ? pathOf('.') : dirname(path),
    self: path,
    now: context.clock.date(),
    platform,
    restart: how.restart,
  });
  if (mistakes.length > 0) await refuseMistakes(context, mistakes, { file: name, undone: how.undone });
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
