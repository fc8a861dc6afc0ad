import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pastedGuid } from '../core/text/scalars.js';
import { shellCommand } from '../core/text/text.js';
import { defined } from '../core/values/value.js';
import { formatOfName } from '../formats/writers/index.js';
import { fitsFormat, takersOf } from '../kit/flags/csv.js';
import type { NamedParameter } from '../kit/host/context.js';
import { formatByName } from '../kit/output/output-choice.js';
import { refusal, type JobCommand, type KnownCommands } from './job-commands.js';
import {
  didYouMean,
  readJobs,
  type FlagSettings,
  type WrittenJob,
  readJobFlag,
  type JobFlag,
  type JobFlags,
} from './job-file.js';
import { isNothing, readYaml, type Mistake, type Position, type Report } from './yaml-file.js';

/** A job, ready to run. */
export interface Job {
  readonly name: string;
  /** The profile that the file or the command line names for it; undefined for the usual one. */
  readonly profile?: string | undefined;
  readonly operations: readonly string[];
  readonly file: string;
  readonly argv: readonly string[];
}

/** The command line of a job as a shell takes it. */
export const commandLine = ({ argv }: Job): string => shellCommand(argv);

/** What a job file is read with. */
export interface JobContext {
  readonly commands: KnownCommands;
  /** Profile of the jobs that name none themselves, before that of the defaults. */
  readonly profile?: string | undefined;
  /** Absolute path of the folder that calls are recorded in, of the jobs that name none themselves. */
  readonly record?: string | undefined;
  readonly profiles: readonly string[];
  /** What is wrong with a name of an id in a profile, in words; undefined when it is known. */
  readonly wrongNameIn: (profile: string | undefined, parameter: NamedParameter) => string | undefined;
  readonly folder: string;
  /** The job file itself, which no job may write; undefined for stdin. */
  readonly self: string | undefined;
  readonly now: Date;
  readonly platform: NodeJS.Platform;
  readonly restart: boolean;
}

interface Planning extends JobContext {
  readonly report: Report;
}

/** Flags that mean nothing in a job, with what to do instead. */
const notInJobs: ReadonlyMap<string, string> = new Map([
  ['dry-run', 'use relctl export run --dry-run'],
  ['json', "use 'output: json'"],
  ['no-input', 'a job never asks'],
]);

const refusedInJobs = (name: string): string | undefined =>
  notInJobs.has(name) ? `'${name}' is not a flag for a job: ${notInJobs.get(name) ?? ''}` : undefined;

function unknownFlag(name: string, { name: command, flags }: JobCommand): string | undefined {
  return flags.has(name) ? undefined : `${command} has no flag '${name}'${didYouMean(name, [...flags.keys()])}`;
}

/** Reports defaults that no job of the file can have: they are misspelt. */
function checkDefaults(defaults: FlagSettings, jobs: readonly WrittenJob[], report: Report): void {
  const known = new Set(jobs.flatMap(({ command }) => [...command.flags.keys()]));
  for (const [name, { at, value }] of defaults) {
    const refused = refusedInJobs(name);
    if (refused !== undefined) report(at, refused);
    else if (isNothing(value)) report(at, `'${name}' has no value`);
    else if (jobs.length > 0 && !known.has(name))
      report(at, `no job here has a flag '${name}'${didYouMean(name, [...known])}`);
  }
}

/**
 * The settings of one job: its own before those of the command line, and these before the defaults. A default that its
 * command does not have is passed over, and a job takes a default back with `null`.
 */
function settingsOfJob(
  { at, command, settings }: WrittenJob,
  defaults: FlagSettings,
  planning: Planning,
): FlagSettings {
  const { report } = planning;
  const chosen = new Map([...defaults].filter(([name]) => command.flags.has(name)));
  for (const [name, entry] of settings) {
    const refused = refusedInJobs(name) ?? unknownFlag(name, command);
    if (refused !== undefined) report(entry.at, refused);
    else if (!isNothing(entry.value)) chosen.set(name, entry);
    else if (!chosen.delete(name)) report(entry.at, `'${name}' has no value`);
  }
  for (const [key, text] of Object.entries(defined({ profile: planning.profile, record: planning.record })))
    if (command.flags.has(key) && isNothing(settings.get(key)?.value))
      chosen.set(key, { key, at, value: { kind: 'text', at, text, isPlain: false } });
  return chosen;
}

function flagsOfJob(job: WrittenJob, defaults: FlagSettings, planning: Planning): JobFlags {
  const { name: jobName, at, command } = job;
  const flags = new Map<string, JobFlag>();
  for (const [name, { value }] of settingsOfJob(job, defaults, planning)) {
    const facts = command.flags.get(name);
    if (facts !== undefined) flags.set(name, readJobFlag(value, facts, planning));
  }
  const lacking = [...command.flags.values()].filter(({ name, required }) => required === true && !flags.has(name));
  for (const { name } of lacking)
    planning.report(at, `the job ${jobName} lacks '${name}', which ${command.name} needs`);
  return flags;
}

const valueOf = (flags: JobFlags, name: string): string | undefined => flags.get(name)?.values[0];

const isOn = (flags: JobFlags, name: string): boolean => (flags.get(name)?.words.length ?? 0) > 0;

function checkProfile(flags: JobFlags, { profiles, report }: Planning): void {
  const { at, values: [name] = [] } = flags.get('profile') ?? {};
  if (name === undefined || at === undefined || profiles.includes(name)) return;
  report(at, `there is no profile '${name}'${didYouMean(name, profiles)}`);
}

function checkNames(
  { at: jobAt, command, args }: WrittenJob,
  flags: JobFlags,
  { wrongNameIn, report }: Planning,
): void {
  const parameters = [
    ...[...flags.values()].map(({ facts, at, values }) => ({ group: 'flags', facts, at, texts: values }) as const),
    ...command.args.map(
      (facts, index) => ({ group: 'args', facts, at: jobAt, texts: args.slice(index, index + 1) }) as const,
    ),
  ];
  for (const { group, facts, at, texts } of parameters) {
    const { name: key, idOf: kind, reader } = facts;
    if (kind === undefined) continue;
    for (const text of texts) {
      // What can be no name was reported when it was read.
      if (pastedGuid(text) !== undefined || refusal(reader, text, key) !== undefined) continue;
      const wrong = wrongNameIn(valueOf(flags, 'profile'), { group, key, kind, texts: [text] });
      if (wrong !== undefined) report(at, wrong);
    }
  }
}

function resumeWords({ at, command }: WrittenJob, flags: JobFlags, { restart, report }: Planning): readonly string[] {
  if (!command.flags.has('resume')) return [];
  const [resumes, restarts] = [isOn(flags, 'resume'), isOn(flags, 'restart')];
  if (resumes && restarts) report(flags.get('restart')?.at ?? at, "'resume' and 'restart' cannot be used together");
  if (restart || restarts) return ['--restart'];
  return flags.has('resume') && !resumes ? [] : ['--resume'];
}

const two = (value: number): string => String(value).padStart(2, '0');

/** What the placeholders of a file name stand for: the job, and day and time of the run by the machine's zone. */
const placeholders = (job: string, now: Date): ReadonlyMap<string, string> =>
  new Map([
    ['job', job],
    ['date', [String(now.getFullYear()).padStart(4, '0'), two(now.getMonth() + 1), two(now.getDate())].join('-')],
    ['time', [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('')],
  ]);

function wrongFileName(text: string, known: readonly string[]): string | undefined {
  const unknown = [...text.matchAll(/\{([^{}]*)\}/g)].find(([, name = '']) => !known.includes(name));
  if (unknown !== undefined) {
    const [placeholder, name = ''] = unknown;
    return `unknown placeholder ${placeholder}; the placeholders are ${known.map((each) => `{${each}}`).join(', ')}${didYouMean(name, known)}`;
  }
  if (/[{}]/.test(text.replace(/\{[^{}]*\}/g, ''))) return 'an unmatched brace: write placeholders as {date}';
  if (text === '-') return 'a job writes to a file: stdout is for the summary';
  return text.trim() === '' || /[/\\]$/.test(text) ? 'output-file must be the name of a file' : undefined;
}

function resolveOutputFile({ name, at: jobAt }: WrittenJob, flags: JobFlags, planning: Planning): string | undefined {
  const { report, now, folder } = planning;
  const flag = flags.get('output-file');
  if (flag === undefined) report(jobAt, `the job ${name} has no output-file`);
  const { at = jobAt, values: [text] = [] } = flag ?? {};
  if (text === undefined) return undefined;
  const known = placeholders(name, now);
  const wrong = wrongFileName(text, [...known.keys()]);
  if (wrong === undefined)
    return resolve(
      folder,
      text.replace(/\{([^{}]*)\}/g, (_, key: string) => known.get(key) ?? ''),
    );
  report(at, wrong);
  return undefined;
}

const setHere: readonly string[] = ['output-file', 'resume', 'restart'];

function planJob(job: WrittenJob, defaults: FlagSettings, planning: Planning): Job | undefined {
  const { report } = planning;
  const { name, command, args, settings } = job;
  const flags = flagsOfJob(job, defaults, planning);
  checkProfile(flags, planning);
  checkNames(job, flags, planning);
  const resumes = resumeWords(job, flags, planning);
  const file = resolveOutputFile(job, flags, planning);
  if (file === undefined) return undefined;
  const byName = formatByName(file);
  if (byName === undefined && !flags.has('output'))
    report(job.at, `the job ${name} has no output (csv, json, …), and ${file} does not end in one`);
  const format = formatOfName(valueOf(flags, 'output') ?? '') ?? byName;
  const words = [...flags].flatMap(([flag, { words: own }]) => {
    if (setHere.includes(flag)) return [];
    if (own.length === 0 || format === undefined || fitsFormat(flag, format)) return own;
    // A default that says nothing in the format of the job is passed over.
    const entry = settings.get(flag);
    if (entry !== undefined) report(entry.at, `'${flag}' has no effect in ${format}: it is for ${takersOf(flag)}`);
    return [];
  });
  // The format of a job is always written out: the one that a profile prefers is for terminals, not for files.
  const output = flags.has('output') || byName === undefined ? [] : [`--output=${byName}`];
  const argv = [...command.name.split(' '), ...args, ...words, ...output, `--output-file=${file}`, ...resumes];
  const operations = command.operations.length > 0 ? command.operations : args.slice(0, 1);
  return { name, profile: valueOf(flags, 'profile'), operations, file, argv };
}

/** One name for a file, whichever path leads to it, as long as its folder exists. */
function trueName(file: string, platform: NodeJS.Platform): string {
  let folder = dirname(file);
  try {
    folder = realpathSync(folder);
  } catch {
    // The job itself reports a folder that is not there.
  }
  const name = join(folder, basename(file));
  return platform === 'win32' || platform === 'darwin' ? name.toLowerCase() : name;
}

const endingsOfExport = ['', '.part', '.journal', '.lock', '.meta.json'];

function checkFiles(jobs: readonly { readonly job: Job; readonly at: Position }[], planning: Planning): void {
  const { self, platform, report } = planning;
  const users = new Map<string, string>();
  if (self !== undefined) users.set(trueName(self, platform), 'is the job file itself');
  for (const { job, at } of jobs) {
    const names = endingsOfExport.map((ending) => trueName(job.file, platform) + ending);
    const clash = names.map((name) => users.get(name)).find((words) => words !== undefined);
    if (clash !== undefined) report(at, `${job.file} ${clash}`);
    for (const name of names) users.set(name, `is already written by the job ${job.name}`);
  }
}

/** The jobs of a file, ready to run, and its mistakes. Only the jobs of a file without mistakes may run. */
export function planJobs(
  text: string,
  jobContext: JobContext,
): { readonly jobs: readonly Job[]; readonly mistakes: readonly Mistake[] } {
  const { root, mistakes: unread } = readYaml(text);
  if (unread.length > 0) return { jobs: [], mistakes: unread };
  const mistakes: Mistake[] = [];
  const report: Report = ({ line, column }, message) => {
    // A mistake in the defaults is found by each job that has them.
    const isSame = ({ at, message: other }: Mistake): boolean =>
      at.line === line && at.column === column && other === message;
    if (!mistakes.some(isSame)) mistakes.push({ at: { line, column }, message });
  };
  const planning = { ...jobContext, report };
  const { defaults, jobs: written } = readJobs(root, planning);
  checkDefaults(defaults, written, report);
  const planned = written.flatMap((each) => {
    const job = planJob(each, defaults, planning);
    return job === undefined ? [] : [{ job, at: each.settings.get('output-file')?.value.at ?? each.at }];
  });
  checkFiles(planned, planning);
  return { jobs: planned.map(({ job }) => job), mistakes };
}
