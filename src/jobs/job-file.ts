import { nearest } from '../core/text/text.js';
import {
  isUnfit,
  refusal,
  type ArgumentFacts,
  type JobCommand,
  type KnownCommands,
  type FlagFacts,
  wrongValue,
} from './job-commands.js';
import { isNothing, type Position, type Report, type YamlEntry, type YamlNode } from './yaml-file.js';
import { resolve } from 'node:path';
import { readYesNo } from '../core/text/scalars.js';
import { settingWithPath } from '../kit/flags/common.js';

/** Flags of a job, or of the defaults, as they are written, by name. */
export type FlagSettings = ReadonlyMap<string, YamlEntry>;

/** A job as it is written. */
export interface WrittenJob {
  readonly name: string;
  readonly at: Position;
  readonly command: JobCommand;
  readonly args: readonly string[];
  readonly settings: FlagSettings;
}

/** Flags that stand beside `command`, because nearly every job has them; all others stand under `flags`. */
const ownLevel: readonly string[] = [
  'profile',
  'output',
  'output-file',
  'columns',
  'resume',
  'restart',
  'lock-wait',
  'deadline',
  'changes-since',
];

const secretLike = /pass(?:word|phrase)|secret|api-?_?key|token|credential/i;
const mostJobsInFile = 200;

/** A suggestion to add to a message, when something is near. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const near = nearest(typed, known);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

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

function byKey(entries: readonly YamlEntry[], known: readonly string[], report: Report) {
  for (const { key, at } of entries) {
    if (known.includes(key)) continue;
    if (secretLike.test(key)) report(at, `'${key}' is not allowed: a job file has no secrets; use a profile`);
    else report(at, `unknown key '${key}'${didYouMean(key, known)}`);
  }
  return new Map(entries.map((entry) => [entry.key, entry] as const));
}

function readSettings(entries: readonly YamlEntry[], report: Report): FlagSettings {
  const settings = new Map<string, YamlEntry>();
  const nested = entries.filter(({ key, value }) => key === 'flags' && !isNothing(value));
  const inner = nested.flatMap(({ value }) => entriesOf(value, 'flags', report));
  for (const entry of [...entries.filter(({ key }) => ownLevel.includes(key)), ...inner]) {
    const { key, at } = entry;
    const earlier = settings.get(key);
    if (earlier === undefined) settings.set(key, entry);
    else report(at, `'${key}' is already on line ${earlier.at.line}`);
  }
  return settings;
}

function readCommand(node: YamlNode, { commands, report }: Reading): JobCommand | undefined {
  const text = textOf(node, 'command', report)?.trim().split(/\s+/).join(' ');
  const command = commands.jobs.get(text ?? '');
  if (text === undefined || command !== undefined) return command;
  if (commands.names.includes(text)) report(node.at, `'${text}' is not a command for a job: a job only reads lists`);
  else report(node.at, `unknown command '${text}'${didYouMean(text, [...commands.jobs.keys()])}`);
  return undefined;
}

function readArg(item: YamlNode, { name, reader }: Partial<ArgumentFacts>, report: Report): readonly string[] {
  if (item.kind === 'map') {
    report(item.at, 'an argument cannot have keys; quote a text that begins with {');
    return [];
  }
  const text = textOf(item, 'an argument', report);
  if (text === undefined) return [];
  if (text.startsWith('-')) report(item.at, `the argument ${text} looks like a flag: write flags under 'flags'`);
  else if (isUnfit(text)) report(item.at, 'an argument holds a line break or a control character');
  else {
    const wrong = refusal(reader, text, name?.toUpperCase() ?? '');
    if (wrong !== undefined) report(item.at, wrong);
  }
  return [text];
}

function readArgs(
  node: YamlNode | undefined,
  { name, args }: JobCommand,
  { at, report }: { readonly at: Position; readonly report: Report },
): string[] {
  const nodes = node === undefined ? [] : [node];
  const items = node?.kind === 'list' ? node.items : nodes;
  const missing = args.slice(items.length).flatMap((each) => (each.required === true ? each.name.toUpperCase() : []));
  if (missing.length > 0) report(at, `${name} needs args: ${missing.join(', ')}`);
  if (items.length > args.length) report(at, `${name} takes ${args.length} args, not ${items.length}`);
  return items.flatMap((item, index) => readArg(item, args[index] ?? {}, report));
}

function readJob({ key: name, at, value }: YamlEntry, reading: Reading): WrittenJob | undefined {
  const { report } = reading;
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name))
    report(at, `'${name}' cannot be the name of a job: letters, digits, - and _`);
  const entries = entriesOf(value, `the job ${name}`, report);
  const keys = byKey(entries, ['command', 'args', 'flags', ...ownLevel], report);
  const settings = readSettings(entries, report);
  const written = keys.get('command');
  if (written === undefined && value.kind === 'map') report(at, `the job ${name} has no command`);
  const command = written && readCommand(written.value, reading);
  if (command === undefined) return undefined;
  const args = readArgs(keys.get('args')?.value, command, { at: keys.get('args')?.at ?? at, report });
  return { name, at, command, args, settings };
}

function jobsOf(entry: YamlEntry | undefined, reading: Reading): readonly WrittenJob[] {
  const { report } = reading;
  if (entry === undefined) {
    report(start, "the file has no 'jobs'");
    return [];
  }
  const entries = entriesOf(entry.value, 'jobs', report);
  if (entries.length === 0 && entry.value.kind === 'map') report(entry.at, "'jobs' names no job");
  if (entries.length > mostJobsInFile) report(entry.at, `more than ${mostJobsInFile} jobs in one file`);
  return entries.slice(0, mostJobsInFile).flatMap((each) => readJob(each, reading) ?? []);
}

const start: Position = { line: 1, column: 1 };

function readVersion(entry: YamlEntry | undefined, report: Report): void {
  if (entry === undefined) report(start, "the file has no version: begin with 'version: 1'");
  else if (entry.value.kind !== 'text' || entry.value.text !== '1')
    report(entry.value.at, 'this version of relctl reads version 1 of job files');
}

function readDefaults(entry: YamlEntry | undefined, report: Report): FlagSettings {
  const entries = entry === undefined || isNothing(entry.value) ? [] : entriesOf(entry.value, 'defaults', report);
  byKey(entries, ['flags', ...ownLevel], report);
  return readSettings(entries, report);
}

/** Reads the jobs of a file and the defaults of their flags; mistakes are reported, and left out of the result. */
export function readJobs(
  root: YamlNode | undefined,
  reading: Reading,
): { readonly defaults: FlagSettings; readonly jobs: readonly WrittenJob[] } {
  const { report } = reading;
  const entries = root === undefined ? [] : entriesOf(root, 'a job file', report);
  const keys = byKey(entries, ['version', 'defaults', 'jobs'], report);
  readVersion(keys.get('version'), report);
  return { defaults: readDefaults(keys.get('defaults'), report), jobs: jobsOf(keys.get('jobs'), reading) };
}

/** A flag of a job with its values; a switch has none. */
export interface JobFlag {
  readonly facts: FlagFacts;
  readonly at: Position;
  readonly values: readonly string[];
  /** As they stand in a command line; empty for a switch that is off. */
  readonly words: readonly string[];
}

/** The flags of a job by name. */
export type JobFlags = ReadonlyMap<string, JobFlag>;

function textsOf(nodes: readonly YamlNode[], flag: string, report: Report): readonly string[] {
  const wrong = nodes.find((node) => node.kind !== 'text' || isNothing(node));
  if (wrong === undefined) return nodes.flatMap((node) => (node.kind === 'text' ? node.text : []));
  report(wrong.at, `${flag} must be a text here`);
  return [];
}

function textsOfList(node: Extract<YamlNode, { kind: 'list' }>, facts: FlagFacts, report: Report): readonly string[] {
  const flag = `--${facts.name}`;
  if (facts.multiple !== true && facts.form !== 'names') {
    report(node.at, `${flag} must be one value, not a list`);
    return [];
  }
  const texts = textsOf(node.items, flag, report);
  if (facts.multiple === true || (texts.length === 0 && node.items.length > 0)) return texts;
  const withComma = texts.find((text) => text.includes(','));
  if (withComma === undefined && texts.length > 0) return [texts.join(',')];
  report(node.at, withComma === undefined ? `${flag} names nothing` : `${flag}: '${withComma}' holds a comma`);
  return [];
}

function optionTexts(node: YamlNode, facts: FlagFacts, report: Report): readonly string[] {
  const { name, form } = facts;
  if (node.kind === 'text') return textsOf([node], `--${name}`, report);
  if (node.kind === 'list') return textsOfList(node, facts, report);
  if (form !== 'pairs' && form !== 'settings') {
    report(node.at, `--${name} cannot have keys; quote a text that begins with {`);
    return [];
  }
  const values = node.entries.map(({ value }) => value);
  return textsOf(values, `--${name}`, report).map((text, index) => `${node.entries[index]?.key ?? ''}=${text}`);
}

function switchWords(node: YamlNode, { name, allowNo }: FlagFacts, report: Report): readonly string[] {
  const isOn = node.kind === 'text' && node.isPlain ? readYesNo(node.text) : undefined;
  if (isOn === undefined) report(node.at, `--${name} takes true or false`);
  if (isOn === true) return [`--${name}`];
  return isOn === false && allowNo === true ? [`--no-${name}`] : [];
}

function withPath(text: string, { form }: FlagFacts, folder: string): string {
  if (form === 'settings') return settingWithPath(text, (path) => resolve(folder, path));
  const isPath = (form === 'input-file' || form === 'output-file') && text !== '-';
  return isPath ? resolve(folder, text) : text;
}

/**
 * Reads a flag of a job, with the reader of its command. What is wrong is reported.
 * @param folder the folder that relative paths start from
 */
export function readJobFlag(
  node: YamlNode,
  facts: FlagFacts,
  { folder, report }: { readonly folder: string; readonly report: Report },
): JobFlag {
  const { at } = node;
  const { name, type, form } = facts;
  if (type === 'boolean') return { facts, at, values: [], words: switchWords(node, facts, report) };
  const values = optionTexts(node, facts, report);
  for (const text of values) {
    const isStdin = form === 'input-file' && text === '-';
    const wrong = isStdin ? `--${name}: a job cannot read stdin` : wrongValue(facts, text);
    if (wrong !== undefined) report(at, wrong);
  }
  // With = in between, a value that begins with - stays a value.
  return { facts, at, values, words: values.map((text) => `--${name}=${withPath(text, facts, folder)}`) };
}
