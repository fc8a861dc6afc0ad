import { isWatched } from '../formats/streams.js';
import type { Config } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import { RelctlError, perhaps, usage } from '../core/errors/relctl-error.js';
import { nearest, shellWord } from '../core/text/text.js';
import { escapeForTerminal } from '../formats/escape.js';
import { sandboxName } from '../profiles/store/store.js';
import type { Context } from '../kit/host/context.js';
import { defined, type RecordValue } from '../core/values/value.js';
import { type Job, commandLine } from './plan-jobs.js';
import { readJobFile } from './read-job-file.js';
import { type JobEnd, failureOf, runJobs } from './run-job.js';
import { switchFlag, type Values, repeated } from '../kit/flags/define.js';
import { callsAtOnce } from '../kit/flags/readers.js';
import { folderOption, wholeOption, textOption } from '../kit/flags/kinds.js';
import { outputFlags, type CommonFlags, type OutputFlags } from '../kit/flags/common.js';
import { profileStore } from '../kit/session/profile-store.js';
import { inRole, opt, recordWithoutPresence, req } from '../contract/build.js';
import { decimal, int, string } from '../contract/scalars.js';
import { profileChoice } from '../profiles/resolve.js';
import { openOutput, printRecords } from '../kit/output/open-output.js';

/** What `export run` prints. */
export const JobLine = recordWithoutPresence('JobLine', 'Result of a job of an export run.', {
  Job: inRole('key', req(string, 'Its name.')),
  Outcome: req(string, 'complete, failed, interrupted or not started.'),
  ExitCode: opt(int, 'Exit code of its process.'),
  Rows: opt(int, 'Rows written.'),
  Seconds: opt(decimal, 'Duration.'),
  File: inRole('words', req(string, 'The file that it writes.')),
  Reason: inRole('words', opt(string, 'Why it failed.')),
  Profile: opt(string, 'The profile that it uses; absent without one.'),
});

const JobCommandLine = recordWithoutPresence('JobCommandLine', 'A planned job of an export run.', {
  Job: inRole('key', req(string, 'Its name.')),
  File: inRole('words', req(string, 'The file that it writes.')),
  Command: inRole('words', req(string, 'The command line, quoted for a shell.')),
});

function profileOfJob(context: Context, { profile }: Job): string | undefined {
  const { variables } = context.environment;
  return profileChoice({ store: profileStore(context), profile, variables })?.name;
}

const lineOf = (context: Context, { job, outcome, exitCode, rows, seconds, reason }: JobEnd): RecordValue => ({
  Job: job.name,
  Outcome: outcome,
  ExitCode: exitCode ?? null,
  Rows: rows ?? null,
  Seconds: seconds === undefined ? null : String(seconds),
  File: job.file,
  Reason: reason ?? null,
  Profile: profileOfJob(context, job) ?? null,
});

function printsSummary(context: Context, flags: OutputFlags & { readonly summary?: boolean | undefined }): boolean {
  if (flags.summary !== undefined) return flags.summary;
  const hasOutput = flags.output !== undefined || flags.json || flags['output-file'] !== undefined;
  return hasOutput || (isWatched(context.streams.out) && !flags.quiet);
}

async function openSummary(context: Context, flags: OutputFlags & { readonly summary?: boolean | undefined }) {
  if (!printsSummary(context, flags)) return () => Promise.resolve();
  const table = ['Job', 'Profile', 'Outcome', 'Rows', 'Seconds', 'File', 'Reason'];
  const output = await openOutput(context, undefined, { flags, record: JobLine, shape: 'list', table });
  return async (ends: readonly JobEnd[]) => {
    await output.write(ends.map((end) => lineOf(context, end)));
    await output.finish();
  };
}

async function printCommands(context: Context, flags: OutputFlags, jobs: readonly Job[]): Promise<void> {
  if (flags.output === undefined && !flags.json && flags['output-file'] === undefined) {
    return context.streams.out.write(jobs.map((job) => `# ${job.name}\n${commandLine(job)}\n`).join(''));
  }
  await printRecords(context, { flags, record: JobCommandLine, shape: 'list' }, () =>
    jobs.map((job) => ({ Job: job.name, File: job.file, Command: commandLine(job) })),
  );
}

/** Flags of `export run`. */
export const exportRunFlags = {
  only: textOption({
    ...repeated,
    summary: 'Run only this job; may be repeated.',
    helpValue: 'NAME',
  }),
  profile: textOption({
    char: 'p',
    summary: 'Profile for jobs without one (RELCTL_PROFILE).',
    helpValue: 'NAME',
  }),
  record: folderOption({
    summary: 'Record the calls of jobs without a folder of their own; secrets are masked, personal data is not.',
  }),
  concurrency: wholeOption(callsAtOnce)({ summary: 'Number of concurrent jobs: 1 to 16; the default is 2.' }),
  'fail-fast': switchFlag({ summary: 'Start no job after one has failed.' }),
  restart: switchFlag({ summary: 'Discard interrupted exports and start over.' }),
  'dry-run': switchFlag({ char: 'n', summary: 'Check the file, print the command of each job, call nothing.' }),
  summary: Flags.boolean<boolean | undefined>({
    allowNo: true,
    summary: 'Print the summary, even without a terminal; or never.',
  }),
  ...outputFlags,
};

/** Values of those flags. */
export type ExportRunFlags = Values<typeof exportRunFlags> & CommonFlags;

function checkProfile(context: Context, name: string | undefined): void {
  if (name !== undefined && name !== sandboxName) profileStore(context).get(name);
}

function selectJobs(jobs: readonly Job[], only: readonly string[] = []): readonly Job[] {
  const names = jobs.map(({ name }) => name);
  for (const name of only) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    throw usage('--only', `there is no job '${name}'; the jobs are ${names.join(', ')}`, perhaps(name, near));
  }
  return only.length === 0 ? jobs : jobs.filter(({ name }) => only.includes(name));
}

function reportJob(context: Context, { name }: Job, line: string): void {
  if (context.errorShape === 'json') context.notes.push(`${name}: ${line}`);
  else void context.streams.err.write(`[${name}] ${line}\n`);
}

function reportEnd(context: Context, flags: ExportRunFlags, { job, outcome, rows, seconds }: JobEnd): void {
  if (!isWatched(context.streams.err) || flags.quiet || context.errorShape === 'json') return;
  const parts = [
    outcome,
    rows === undefined ? '' : `${rows} ${rows === 1 ? 'row' : 'rows'}`,
    seconds === undefined ? '' : `${seconds} s`,
  ];
  const text = parts.filter((part) => part !== '').join(', ');
  void context.streams.err.write(`[${job.name}] ${escapeForTerminal(text)}\n`);
}

function interrupted(context: Context, ends: readonly JobEnd[], again: string): RelctlError {
  const { kind, message, facts } = RelctlError.from(context.signal.reason);
  const done = ends.filter(({ outcome }) => outcome === 'complete').length;
  return new RelctlError(kind, `${message}; ${done} of ${ends.length} jobs are complete`, {
    facts,
    hint: again,
  });
}

/**
 * Runs the jobs of a file. The whole file is checked before anything is called. Throws `usage` for its mistakes,
 * the kind that the failures of all failed jobs share, else `partial`, and the signal's reason.
 */
export async function runExports(
  context: Context,
  config: Config,
  input: { file: string; flags: ExportRunFlags },
): Promise<void> {
  const { file, flags } = input;
  const { concurrency = 2 } = flags;
  checkProfile(context, flags.profile);
  const all = await readJobFile({ context, config }, file, {
    ...defined({ profile: flags.profile, record: flags.record }),
    restart: flags.restart,
    undone: 'nothing was run',
  });
  const jobs = selectJobs(all, flags.only);
  if (flags['dry-run']) return printCommands(context, flags, jobs);
  const show = await openSummary(context, flags);
  const ends = await runJobs(jobs, {
    context,
    onLine: (job, line) => reportJob(context, job, line),
    concurrency,
    failFast: flags['fail-fast'],
    onEnd: (end) => reportEnd(context, flags, end),
  });
  await show(ends);
  const same = (['profile', 'record'] as const).flatMap((name) => {
    const { [name]: text } = flags;
    return text === undefined ? [] : [`--${name} ${shellWord(text)}`];
  });
  const again = (names: readonly string[]): string =>
    ['relctl export run', shellWord(file), ...same, ...names.map((name) => `--only ${name}`)].join(' ');
  const unfinished = ends.filter(({ outcome }) => outcome !== 'complete');
  if (context.signal.aborted && unfinished.length > 0) throw interrupted(context, ends, again([]));
  const failure = failureOf(ends, again);
  if (failure !== undefined) throw failure;
}
