import { settingWithPath } from '../kit/flags/set.js';
import { formatOfName, type FormatName } from '../formats/writers/index.js';
import { resolve, basename, dirname, join } from 'node:path';
import { fitsFormat, takersOf } from '../kit/flags/csv.js';
import { shellCommand } from '../core/text/shell/command.js';
import type { KnownCommands } from './job-commands.js';
import { didYouMean, isNothing, readJobs, type WrittenFile, type WrittenJob } from './job-file.js';
import {
  checkDefaults,
  checkNames,
  flagsOfJob,
  type JobFlags,
  type JobFlag,
  valueOf,
  type WrongNameIn,
} from './job-flags.js';
import type { Mistake, Position, Report } from './mistakes.js';
import { formatByName } from '../kit/output/output-choice.js';
import { readYaml } from './yaml-file.js';
import { realpathSync } from 'node:fs';

const two = (value: number): string => String(value).padStart(2, '0');

/** Day and time of a run, as names of files hold them, by the machine's zone: 2026-01-31 and 093000. */
function runTimes(now: Date) {
  return {
    date: [String(now.getFullYear()).padStart(4, '0'), two(now.getMonth() + 1), two(now.getDate())].join('-'),
    time: [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(''),
  };
}

function wrongName(text: string, known: readonly string[]): string | undefined {
  const braces = text.matchAll(/\{([^{}]*)\}/g);
  for (const [whole, name = ''] of braces) {
    if (known.includes(name)) continue;
    return `unknown placeholder ${whole}; there are ${known.map((each) => `{${each}}`).join(', ')}${didYouMean(name, known)}`;
  }
  if (/[{}]/.test(text.replace(/\{[^{}]*\}/g, ''))) return 'a brace stands alone: placeholders are written {date}';
  if (text === '-') return 'a job writes to a file: stdout holds the summary';
  if (text.trim() === '' || /[/\\]$/.test(text)) return 'output-file takes the name of a file';
  return undefined;
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

const filesOfExport = (file: string): readonly string[] =>
  ['', '.part', '.journal', '.lock', '.meta.json'].map((ending) => file + ending);

/** A job, ready to run. */
export interface Job {
  readonly name: string;
  /** The profile that the file or the command line names for it; undefined for the usual one. */
  readonly profile?: string | undefined;
  /** Names of the operations that it may call. */
  readonly operations: readonly string[];
  /** Absolute path of the file that it writes. */
  readonly file: string;
  /** Words behind the program's name. */
  readonly argv: readonly string[];
}

/** What a job file is read with. */
export interface JobContext {
  readonly commands: KnownCommands;
  /** Profile of the jobs that name none themselves, before that of the defaults; undefined when none was given. */
  readonly profile?: string | undefined;
  /** Absolute path of the folder that calls are recorded in, of the jobs that name none themselves. */
  readonly record?: string | undefined;
  /** Profiles that can be named. */
  readonly profiles: readonly string[];
  /** Says what is wrong with a name of an id in a profile. */
  readonly wrongNameIn: WrongNameIn;
  /** Folder that relative paths in the file start from. */
  readonly folder: string;
  /** The job file itself, which no job may write; undefined for stdin. */
  readonly self: string | undefined;
  readonly now: Date;
  readonly platform: NodeJS.Platform;
  /** Begin every export anew. */
  readonly restart: boolean;
}

/** The command line of a job as a shell takes it. */
export const commandLine = ({ argv }: Job): string => shellCommand(argv);

const isOn = (jobFlags: JobFlags, name: string): boolean => (jobFlags.get(name)?.words.length ?? 0) > 0;

interface Planning {
  readonly place: JobContext;
  readonly report: Report;
}

function resolveOutputFile(job: WrittenJob, given: JobFlags, { place, report }: Planning): string | undefined {
  const written = given.get('output-file');
  const text = valueOf(given, 'output-file');
  if (written === undefined) report(job.at, `the job ${job.name} has no output-file`);
  if (written === undefined || text === undefined) return undefined;
  const known = new Map(Object.entries({ job: job.name, ...runTimes(place.now) }));
  const wrong = wrongName(text, [...known.keys()]);
  if (wrong !== undefined) report(written.setting.value.at, wrong);
  const filled = text.replace(/\{([^{}]*)\}/g, (_, name: string) => known.get(name) ?? '');
  return wrong === undefined ? resolve(place.folder, filled) : undefined;
}

/** The format of a job is always written out: the one that a profile prefers is for terminals, not for files. */
function formatWords(job: WrittenJob, given: JobFlags, { file, report }: { file: string; report: Report }): string[] {
  if (given.has('output')) return [];
  const format = formatByName(file);
  if (format !== undefined) return [`--output=${format}`];
  report(job.at, `the job ${job.name} has no output (csv, json, …), and ${file} does not end in one`);
  return [];
}

function checkProfile(given: JobFlags, { place, report }: Planning): void {
  const name = valueOf(given, 'profile');
  const at = given.get('profile')?.setting.value.at;
  if (name === undefined || at === undefined || place.profiles.includes(name)) return;
  report(at, `there is no profile '${name}'${didYouMean(name, place.profiles)}`);
}

function resumeWords(job: WrittenJob, given: JobFlags, { place, report }: Planning): string[] {
  if (!Object.hasOwn(job.command.flags, 'resume')) return [];
  const [resumes, restarts] = [isOn(given, 'resume'), isOn(given, 'restart')];
  if (resumes && restarts) {
    report(given.get('restart')?.setting.at ?? job.at, "'resume' and 'restart' exclude each other");
  }
  if (place.restart || restarts) return ['--restart'];
  return given.has('resume') && !resumes ? [] : ['--resume'];
}

/** The flags that the format of the job has; others are ignored where they are defaults, and mistakes in the job itself. */
function fitting(
  job: WrittenJob,
  given: JobFlags,
  { format, report }: { format: FormatName | undefined; report: Report },
): JobFlags {
  const fits = ([name, { words }]: readonly [string, JobFlag]): boolean =>
    words.length === 0 || format === undefined || fitsFormat(name, format);
  for (const [name] of [...given].filter((each) => !fits(each))) {
    const own = job.flags.get(name);
    if (own !== undefined) report(own.at, `'${name}' says nothing in ${format ?? ''}: it is for ${takersOf(name)}`);
  }
  return new Map([...given].filter(fits));
}

/** The flags with one of the command line, unless the job has it itself; null only takes that of the defaults back. */
function withFlag(job: WrittenJob, given: JobFlags, [name, text]: readonly [string, string | undefined]): JobFlags {
  const own = job.flags.get(name);
  const facts = job.command.flags[name];
  if (text === undefined || facts === undefined || (own !== undefined && !isNothing(own.value))) return given;
  const value = { kind: 'text', text, isPlain: true, at: job.at } as const;
  return new Map([...given, [name, { setting: { at: job.at, value }, facts, words: [`--${name}=${text}`] }]]);
}

const setHere: ReadonlySet<string> = new Set(['output-file', 'resume', 'restart']);

function flagWordsFrom({ facts, words }: JobFlag, folder: string): readonly string[] {
  const start = `--${facts.name}=`;
  if (facts.form === 'settings')
    return words.map((word) => start + settingWithPath(word.slice(start.length), (path) => resolve(folder, path)));
  if (facts.form !== 'input-file' && facts.form !== 'output-file') return words;
  return words.map((word) => (word === `${start}-` ? word : start + resolve(folder, word.slice(start.length))));
}

function planned(job: WrittenJob, defaults: WrittenFile['defaults'], planning: Planning): Job | undefined {
  const { place, report } = planning;
  const written = withFlag(job, flagsOfJob(job, defaults, report), ['profile', place.profile]);
  const given = withFlag(job, written, ['record', place.record]);
  checkProfile(given, planning);
  checkNames(job, given, { wrongNameIn: place.wrongNameIn, report });
  const resumes = resumeWords(job, given, planning);
  const file = resolveOutputFile(job, given, planning);
  if (file === undefined) return undefined;
  const format = formatWords(job, given, { file, report });
  const fit = fitting(job, given, {
    format: formatOfName(valueOf(given, 'output') ?? '') ?? formatByName(file),
    report,
  });
  const flags = [...fit.values()].filter(({ facts }) => !setHere.has(facts.name));
  const words = flags.flatMap((flag) => flagWordsFrom(flag, place.folder));
  const argv = [...job.command.name.split(' '), ...job.args, ...words, ...format, `--output-file=${file}`, ...resumes];
  const { operations } = job.command;
  const called = operations.length > 0 ? operations : job.args.slice(0, 1);
  return { name: job.name, profile: valueOf(given, 'profile'), operations: called, file, argv };
}

function checkFiles(jobs: readonly { readonly job: Job; readonly at: Position }[], { place, report }: Planning): void {
  const taken = new Map<string, string>();
  if (place.self !== undefined) taken.set(trueName(place.self, place.platform), 'is the job file itself');
  for (const { job, at } of jobs) {
    const names = filesOfExport(trueName(job.file, place.platform));
    const clash = names.map((name) => taken.get(name)).find((words) => words !== undefined);
    if (clash !== undefined) report(at, `${job.file} ${clash}`);
    for (const name of names) taken.set(name, `is written by the job ${job.name} already`);
  }
}

/** The jobs of a file, ready to run, and its mistakes. Only the jobs of a file without mistakes may run. */
export function planJobs(
  text: string,
  jobContext: JobContext,
): { readonly jobs: readonly Job[]; readonly mistakes: readonly Mistake[] } {
  const yaml = readYaml(text);
  const mistakes: Mistake[] = [...yaml.mistakes];
  if (mistakes.length > 0) return { jobs: [], mistakes };
  const report: Report = (at, message) => {
    // A mistake in the defaults is found by each job that has them.
    const isKnown = mistakes.some(
      (known) => known.at.line === at.line && known.at.column === at.column && known.message === message,
    );
    if (!isKnown) mistakes.push({ at, message });
  };
  const written = readJobs(yaml.root, { commands: jobContext.commands, report });
  checkDefaults(written, report);
  const found = written.jobs.flatMap((job) => {
    const ready = planned(job, written.defaults, { place: jobContext, report });
    return ready === undefined ? [] : [{ job: ready, at: job.flags.get('output-file')?.value.at ?? job.at }];
  });
  checkFiles(found, { place: jobContext, report });
  return { jobs: found.map(({ job }) => job), mistakes };
}
