import { resolve } from 'node:path';
import { readYesNo } from '../core/text/scalars.js';
import { settingWithPath } from '../kit/flags/set.js';
import { type FlagFacts, wrongValue } from './job-commands.js';
import { isNothing, type Position, type Report, type YamlNode } from './yaml-file.js';

/** A flag of a job with its values; a switch has none. */
export interface JobFlag {
  readonly facts: FlagFacts;
  /** The position of its value in the file. */
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
