import { type FlagFacts, wrongValue, refusal } from './job-commands.js';
import {
  didYouMean,
  isNothing,
  type FlagSetting,
  type FlagSettings,
  type WrittenFile,
  type WrittenJob,
} from './job-file.js';
import type { Report } from './mistakes.js';
import type { YamlNode } from './yaml-file.js';
import { readYesNo } from '../core/text/scalars/boolean.js';
import type { NamedParameter } from '../kit/names/places.js';
import { pastedGuid } from '../core/text/scalars/guid.js';

/** A flag of a job with its values; a switch has none. */
export interface JobFlag {
  readonly setting: FlagSetting;
  readonly facts: FlagFacts;
  readonly words: readonly string[];
}

/** The flags of a job by name. */
export type JobFlags = ReadonlyMap<string, JobFlag>;

/** Flags that mean nothing in a job, with what to do instead. */
const notInJobs: Readonly<Record<string, string>> = {
  'dry-run': 'use relctl export run --dry-run',
  json: "say 'output: json'",
  'no-input': 'a job never asks',
};

function scalars(nodes: readonly YamlNode[], what: string, report: Report): readonly string[] | undefined {
  const wrong = nodes.find((node) => node.kind !== 'text' || isNothing(node));
  if (wrong === undefined) return nodes.flatMap((node) => (node.kind === 'text' ? node.text : []));
  report(wrong.at, `${what} takes a text here`);
  return undefined;
}

function wordsOfPairs(
  node: Extract<YamlNode, { kind: 'map' }>,
  what: string,
  report: Report,
): readonly string[] | undefined {
  const values = scalars(
    node.entries.map(({ value }) => value),
    what,
    report,
  );
  return values?.map((value, index) => `${node.entries[index]?.key ?? ''}=${value}`);
}

function listed(
  node: Extract<YamlNode, { kind: 'list' }>,
  facts: FlagFacts,
  report: Report,
): readonly string[] | undefined {
  const what = `--${facts.name}`;
  const texts = scalars(node.items, what, report);
  if (texts === undefined || facts.multiple === true) return texts;
  if (facts.form !== 'names') {
    report(node.at, `${what} takes one value, not a list`);
    return undefined;
  }
  const withComma = texts.find((text) => text.includes(','));
  if (withComma === undefined && texts.length > 0) return [texts.join(',')];
  report(node.at, texts.length === 0 ? `${what} names nothing` : `${what}: '${withComma ?? ''}' holds a comma`);
  return undefined;
}

function readOptionValues(node: YamlNode, facts: FlagFacts, report: Report): readonly string[] | undefined {
  switch (node.kind) {
    case 'text':
      return scalars([node], `--${facts.name}`, report);
    case 'list':
      return listed(node, facts, report);
    case 'map':
      if (facts.form === 'pairs' || facts.form === 'settings') return wordsOfPairs(node, `--${facts.name}`, report);
      report(node.at, `--${facts.name} takes no keys; a text that begins with { stands in quotes`);
      return undefined;
  }
}

function switchWords(node: YamlNode, { name, allowNo }: FlagFacts, report: Report): readonly string[] {
  const isOn = node.kind === 'text' && node.isPlain ? readYesNo(node.text) : undefined;
  if (isOn === true) return [`--${name}`];
  if (isOn === false) return allowNo === true ? [`--no-${name}`] : [];
  report(node.at, `--${name} takes true or false`);
  return [];
}

function readJobFlag(setting: FlagSetting, facts: FlagFacts, report: Report): JobFlag {
  const { value } = setting;
  if (facts.type === 'boolean') return { setting, facts, words: switchWords(value, facts, report) };
  const values = readOptionValues(value, facts, report) ?? [];
  for (const text of values) {
    const isStdin = facts.form === 'input-file' && text === '-';
    const wrong = isStdin ? `--${facts.name}: a job has no stdin to read` : wrongValue(facts, text);
    if (wrong !== undefined) report(value.at, wrong);
  }
  // With = in between, a value that begins with - stays a value.
  return { setting, facts, words: values.map((text) => `--${facts.name}=${text}`) };
}

function refusedName(name: string, job: WrittenJob): string | undefined {
  const { flags, name: command } = job.command;
  if (Object.hasOwn(notInJobs, name)) return `'${name}' is no flag for a job: ${notInJobs[name] ?? ''}`;
  if (Object.hasOwn(flags, name)) return undefined;
  return `${command} has no flag '${name}'${didYouMean(name, Object.keys(flags))}`;
}

/**
 * The flags of one job, its own before the defaults, by name. A default that its command does not have is passed over, and
 * a job takes a default back with `null`. What is wrong is reported.
 */
export function flagsOfJob(job: WrittenJob, defaults: FlagSettings, report: Report): JobFlags {
  const { flags } = job.command;
  const known = [...defaults].filter(([name]) => Object.hasOwn(flags, name));
  const settings = new Map(known);
  for (const [name, setting] of job.flags) {
    const refused = refusedName(name, job);
    if (refused !== undefined) report(setting.at, refused);
    else if (!isNothing(setting.value)) settings.set(name, setting);
    else if (!settings.delete(name)) report(setting.at, `'${name}' has no value`);
  }
  const result = new Map<string, JobFlag>();
  for (const [name, setting] of settings) {
    const facts = flags[name];
    if (facts !== undefined) result.set(name, readJobFlag(setting, facts, report));
  }
  for (const { name, required } of Object.values(flags)) {
    if (required === true && !result.has(name))
      report(job.at, `the job ${job.name} lacks '${name}', which ${job.command.name} needs`);
  }
  return result;
}

/** Reports defaults that no job of the file can have: they are misspelt. */
export function checkDefaults({ defaults, jobs }: WrittenFile, report: Report): void {
  const known = new Set(jobs.flatMap(({ command }) => Object.keys(command.flags)));
  for (const [name, { at, value }] of defaults) {
    if (Object.hasOwn(notInJobs, name)) report(at, `'${name}' is no flag for a job: ${notInJobs[name] ?? ''}`);
    else if (isNothing(value)) report(at, `'${name}' has no value`);
    else if (jobs.length > 0 && !known.has(name))
      report(at, `no job here has a flag '${name}'${didYouMean(name, [...known])}`);
  }
}

/** What is wrong with a name of an id in a profile, in words; undefined when it is known. */
export type WrongNameIn = (profile: string | undefined, parameter: NamedParameter) => string | undefined;

const optionValuesOf = ({ facts, words }: JobFlag): readonly string[] =>
  words.map((word) => word.slice(`--${facts.name}=`.length));

/** The value of a flag that takes one; undefined where it is not given. */
export function valueOf(jobFlags: JobFlags, name: string): string | undefined {
  const flag = jobFlags.get(name);
  return flag && optionValuesOf(flag)[0];
}

/** Reports the names of ids that the profile of a job does not know, before any job begins. */
export function checkNames(
  job: WrittenJob,
  given: JobFlags,
  { wrongNameIn, report }: { readonly wrongNameIn: WrongNameIn; readonly report: Report },
): void {
  const profile = valueOf(given, 'profile');
  const check = (at: Parameters<Report>[0], namedParameter: Omit<NamedParameter, 'texts'>, text: string): void => {
    const wrong =
      pastedGuid(text) === undefined ? wrongNameIn(profile, { ...namedParameter, texts: [text] }) : undefined;
    if (wrong !== undefined) report(at, wrong);
  };
  for (const flag of given.values()) {
    const { idOf: kind, name: key } = flag.facts;
    if (kind === undefined) continue;
    // What can be no name was reported when the flag was read.
    const texts = optionValuesOf(flag).filter((text) => wrongValue(flag.facts, text) === undefined);
    for (const text of texts) check(flag.setting.value.at, { group: 'flags', key, kind }, text);
  }
  for (const [index, { name: key, idOf: kind, reader }] of job.command.args.entries()) {
    const text = job.args[index];
    const isRead = text !== undefined && refusal(reader, text, key) === undefined;
    if (kind !== undefined && isRead) check(job.at, { group: 'args', key, kind }, text);
  }
}
