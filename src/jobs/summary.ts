import type { RecordValue } from '../plain/value.js';
import { inRole, opt, recordWithoutPresence, req } from '../contract/build.js';
import { decimal, int, string } from '../contract/scalars.js';
import type { Context } from '../host/context.js';
import type { OutputFlags } from '../cli/flags/output.js';
import { profileStore } from '../cli/session/profile-store.js';
import { profileChoice } from '../profiles/resolve.js';
import { openOutput, printRecords } from '../cli/output/open-output.js';
import { commandLine, type Job } from './plan-jobs.js';
import type { JobEnd } from './run-job.js';

/** What `export run` prints. */
export const JobLine = recordWithoutPresence('JobLine', 'How a job of an export run ended.', {
  Job: inRole('key', req(string, 'Its name.')),
  Outcome: req(string, 'complete, failed, interrupted or not started.'),
  ExitCode: opt(int, 'Exit code of its process.'),
  Rows: opt(int, 'Rows written.'),
  Seconds: opt(decimal, 'How long it took.'),
  File: inRole('words', req(string, 'The file that it writes.')),
  Reason: inRole('words', opt(string, 'Why it failed.')),
  Profile: opt(string, 'The profile that it uses; none when none is chosen.'),
});

const JobCommandLine = recordWithoutPresence('JobCommandLine', 'What a job of an export run stands for.', {
  Job: inRole('key', req(string, 'Its name.')),
  File: inRole('words', req(string, 'The file that it writes.')),
  Command: inRole('words', req(string, 'The command, as a shell takes it.')),
});

/** Prints the summary of how all jobs ended. */
export type ShowSummary = (ends: readonly JobEnd[]) => Promise<void>;

/** The profile of a job: the one that is named for it, else the usual one; undefined when none is chosen. */
function profileOf(context: Context, { profile }: Job): string | undefined {
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
  Profile: profileOf(context, job) ?? null,
});

/** True when a summary was asked for, or stdout is a terminal; otherwise success prints nothing. */
function isWanted(context: Context, flags: OutputFlags & { readonly summary?: boolean | undefined }): boolean {
  if (flags.summary !== undefined) return flags.summary;
  const isAsked = flags.output !== undefined || flags.json || flags['output-file'] !== undefined;
  return isAsked || (context.streams.out.isTerminal && !flags.quiet);
}

/** Opens the summary of a run, before any job: a bad --columns ends the run here. Throws `usage` and `local`. */
export async function openSummary(
  context: Context,
  flags: OutputFlags & { readonly summary?: boolean | undefined },
): Promise<ShowSummary> {
  if (!isWanted(context, flags)) return () => Promise.resolve();
  const table = ['Job', 'Profile', 'Outcome', 'Rows', 'Seconds', 'File', 'Reason'];
  const output = await openOutput(context, undefined, { flags, record: JobLine, shape: 'list', table });
  return async (ends) => {
    await output.write(ends.map((end) => lineOf(context, end)));
    await output.finish();
  };
}

/** Prints the command that each job stands for: as a script, or as records when a format is asked for. */
export async function printCommands(context: Context, flags: OutputFlags, jobs: readonly Job[]): Promise<void> {
  if (flags.output === undefined && !flags.json && flags['output-file'] === undefined) {
    return context.streams.out.write(jobs.map((job) => `# ${job.name}\n${commandLine(job)}\n`).join(''));
  }
  await printRecords(context, { flags, record: JobCommandLine, shape: 'list' }, () =>
    jobs.map((job) => ({ Job: job.name, File: job.file, Command: commandLine(job) })),
  );
}
