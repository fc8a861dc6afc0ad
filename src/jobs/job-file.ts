import { nearest } from '../core/text/nearest.js';
import { isUnfit, refusal, type ArgumentFacts, type JobCommand, type KnownCommands } from './job-commands.js';
import type { Position, Report } from './mistakes.js';
import type { YamlEntry, YamlNode } from './yaml-file.js';

/** A flag in a file: its value, and the place of its name. */
export type FlagSetting = Omit<YamlEntry, 'key'>;

/** Flags by name. */
export type FlagSettings = ReadonlyMap<string, FlagSetting>;

/** A job as it is written. */
export interface WrittenJob {
  readonly name: string;
  readonly at: Position;
  readonly command: JobCommand;
  readonly args: readonly string[];
  readonly flags: FlagSettings;
}

/** A job file as it is written. */
export interface WrittenFile {
  readonly defaults: FlagSettings;
  readonly jobs: readonly WrittenJob[];
}

/** Flags that stand beside `command`, because nearly every job has them; all others stand under `flags`. */
const ownLevel = [
  'profile',
  'output',
  'output-file',
  'columns',
  'resume',
  'restart',
  'lock-wait',
  'deadline',
  'changes-since',
] as const;

const isOwnLevel = (key: string): boolean => ownLevel.some((name) => name === key);
const secretLike = /pass(?:word|phrase)|secret|api-?_?key|token|credential/i;

/** "; did you mean x?" when something is near. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const found = nearest(typed, known);
  return found === undefined ? '' : `; did you mean ${found}?`;
}

/** A text without a value: nothing, `~` or `null`. */
export const isNothing = (node: YamlNode): boolean =>
  node.kind === 'text' && node.isPlain && /^(?:|~|null|Null|NULL)$/.test(node.text);

interface Reading {
  readonly commands: KnownCommands;
  readonly report: Report;
}

function entriesOf(node: YamlNode, what: string, report: Report): readonly YamlEntry[] {
  if (node.kind === 'map') return node.entries;
  report(node.at, `${what} takes keys with values`);
  return [];
}

function textOf(node: YamlNode, what: string, report: Report): string | undefined {
  if (node.kind === 'text' && !isNothing(node)) return node.text;
  report(node.at, `${what} takes a text`);
  return undefined;
}

function unknownKey({ key, at }: YamlEntry, known: readonly string[], report: Report): void {
  if (secretLike.test(key)) report(at, `'${key}' has no place here: a job file holds no secrets, it names a profile`);
  else report(at, `unknown key '${key}'${didYouMean(key, known)}`);
}

function readFlags(entries: readonly YamlEntry[], report: Report): FlagSettings {
  const found = new Map<string, FlagSetting>();
  const nested = entries.filter(({ key }) => key === 'flags');
  const inner = nested.flatMap(({ value }) => (isNothing(value) ? [] : entriesOf(value, 'flags', report)));
  for (const { key, at, value } of [...entries.filter(({ key }) => isOwnLevel(key)), ...inner]) {
    const earlier = found.get(key);
    if (earlier === undefined) found.set(key, { at, value });
    else report(at, `'${key}' stands on line ${earlier.at.line} already: once is enough`);
  }
  return found;
}

function commandOf(node: YamlNode, { commands, report }: Reading): JobCommand | undefined {
  const text = textOf(node, 'command', report)?.trim().split(/\s+/).join(' ');
  if (text === undefined) return undefined;
  const jobCommand = commands.jobs.get(text);
  if (jobCommand !== undefined) return jobCommand;
  const known = [...commands.jobs.keys()];
  if (commands.names.includes(text)) report(node.at, `'${text}' is no command for a job: a job only reads lists`);
  else report(node.at, `unknown command '${text}'${didYouMean(text, known)}`);
  return undefined;
}

function itemsOf(entry: YamlEntry | undefined): readonly YamlNode[] {
  if (entry === undefined) return [];
  return entry.value.kind === 'list' ? entry.value.items : [entry.value];
}

function readArgument(item: YamlNode, { name, reader }: ArgumentFacts, report: Report): readonly string[] {
  if (item.kind === 'map') {
    report(item.at, 'an argument takes no keys; a text that begins with { stands in quotes');
    return [];
  }
  const text = textOf(item, 'an argument', report);
  if (text === undefined) return [];
  const isFlag = text.startsWith('-');
  const wrong = isFlag || isUnfit(text) ? undefined : refusal(reader, text, name.toUpperCase());
  if (wrong !== undefined) report(item.at, wrong);
  return [text];
}

function argsOf(
  entry: YamlEntry | undefined,
  command: JobCommand,
  { at: jobAt, report }: { readonly at: Position; readonly report: Report },
): string[] {
  const at = entry?.at ?? jobAt;
  const items = itemsOf(entry);
  const args = items.flatMap((item, index) => readArgument(item, command.args[index] ?? { name: '' }, report));
  const bad = args.find((arg) => arg.startsWith('-'));
  if (bad !== undefined) report(at, `the argument ${bad} looks like a flag: flags stand under 'flags'`);
  if (args.some(isUnfit)) report(at, 'an argument holds a line break or a control character');
  const missing = command.args.slice(items.length).filter(({ required }) => required === true);
  if (missing.length > 0) {
    report(at, `${command.name} needs args: ${missing.map(({ name }) => name.toUpperCase()).join(', ')}`);
  }
  if (items.length > command.args.length) {
    report(at, `${command.name} takes ${command.args.length} args, not ${items.length}`);
  }
  return args;
}

function jobOf({ key: name, at, value }: YamlEntry, reading: Reading): WrittenJob | undefined {
  const { report } = reading;
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) {
    report(at, `'${name}' cannot be the name of a job: letters, digits, - and _`);
  }
  const entries = entriesOf(value, `the job ${name}`, report);
  const known = ['command', 'args', 'flags', ...ownLevel];
  for (const entry of entries) if (!known.includes(entry.key)) unknownKey(entry, known, report);
  const flags = readFlags(entries, report);
  const written = entries.find(({ key }) => key === 'command');
  if (written === undefined) {
    if (value.kind === 'map') report(at, `the job ${name} has no command`);
    return undefined;
  }
  const command = commandOf(written.value, reading);
  if (command === undefined) return undefined;
  const args = argsOf(
    entries.find(({ key }) => key === 'args'),
    command,
    { at, report },
  );
  return { name, at, command, args, flags };
}

const beginning: Position = { line: 1, column: 1 };

function checkVersion(entry: YamlEntry | undefined, report: Report): void {
  if (entry === undefined) report(beginning, "the file says no version: begin with 'version: 1'");
  else if (entry.value.kind !== 'text' || entry.value.text !== '1') {
    report(entry.value.at, 'this relctl knows version 1 of job files');
  }
}

const mostJobsInFile = 200;

function defaultsOf(entry: YamlEntry | undefined, report: Report): FlagSettings {
  const entries = entry === undefined || isNothing(entry.value) ? [] : entriesOf(entry.value, 'defaults', report);
  const known = ['flags', ...ownLevel];
  for (const each of entries) if (!known.includes(each.key)) unknownKey(each, known, report);
  return readFlags(entries, report);
}

function jobsOf(entry: YamlEntry | undefined, reading: Reading): readonly WrittenJob[] {
  const { report } = reading;
  if (entry === undefined) {
    report(beginning, "the file has no 'jobs'");
    return [];
  }
  const entries = entriesOf(entry.value, 'jobs', report);
  if (entries.length === 0 && entry.value.kind === 'map') report(entry.at, "'jobs' names no job");
  if (entries.length > mostJobsInFile) report(entry.at, `more than ${mostJobsInFile} jobs in one file`);
  return entries.slice(0, mostJobsInFile).flatMap((each) => jobOf(each, reading) ?? []);
}

/** Reads the jobs of a file; mistakes are reported, and left out of the result. */
export function readJobs(root: YamlNode | undefined, reading: Reading): WrittenFile {
  const { report } = reading;
  const top = root === undefined ? [] : entriesOf(root, 'a job file', report);
  const known = ['version', 'defaults', 'jobs'];
  for (const entry of top) if (!known.includes(entry.key)) unknownKey(entry, known, report);
  const find = (name: string): YamlEntry | undefined => top.find(({ key }) => key === name);
  checkVersion(find('version'), report);
  return { defaults: defaultsOf(find('defaults'), report), jobs: jobsOf(find('jobs'), reading) };
}
