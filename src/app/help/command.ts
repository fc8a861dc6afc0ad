import type { Command } from '@oclif/core';
import { commandLine, hanging, joined, paragraph, section, twoColumns, type Entry, type Page } from './layout.js';

/** A command as the manifest keeps it, with the operations that defineCommand gave it. */
export type CommandText = Command.Loadable & { readonly operations?: readonly string[] };

type Lines = readonly string[];

const limitsOfBriefHelp = { lines: 32, examples: 3 };

/** The name of a command as it is typed. */
export const typed = (id: string): string => id.replaceAll(':', ' ');

const visibleArguments = ({ args }: CommandText) => Object.values(args).filter(({ hidden }) => hidden !== true);

function usageLines(page: Page, command: CommandText): Lines {
  const words = visibleArguments(command).map(({ name, required }) =>
    required === true ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  );
  const required = Object.values(command.flags).filter((flag) => flag.required === true);
  const names = required.map((flag) => longForm(flag).replace('=', ' '));
  return hanging(page, 'Usage: ', ['relctl', typed(command.id), ...words, ...names, '[FLAGS]'].join(' '));
}

function argumentLines(page: Page, command: CommandText): Lines {
  const entries = visibleArguments(command).map(({ name, description = '' }): Entry => [
    name.toUpperCase(),
    withProgramName(description),
  ]);
  return entries.length === 0 ? [] : section(page, 'ARGUMENTS', twoColumns(page, entries));
}

function exampleLines(page: Page, { examples = [] }: CommandText, count: number): Lines {
  const lines = examples.map((example) => withProgramName(typeof example === 'string' ? example : example.command));
  return section(
    page,
    'EXAMPLES',
    lines.slice(0, count).flatMap((line) => commandLine(page, line)),
  );
}

function operationLines(page: Page, { operations = [] }: CommandText): Lines {
  if (operations.length === 0) return [];
  const title = `Operation${operations.length === 1 ? '' : 's'} (relctl operations NAME): `;
  return hanging(page, title, operations.join(', '));
}

const listOfNames = (flags: readonly FlagText[]): string => flags.map(({ name }) => `--${name}`).join(', ');

/** The flags of many commands in a sentence: those with a letter by that, and how many others there are. */
function sharedLines(page: Page, { flags }: CommandText): Lines {
  const shared = sharedFlags(flags);
  const letters = shared.flatMap(({ char }) => (char === undefined ? [] : `-${char}`));
  const others = shared.length - letters.length;
  return hanging(page, '', `Flags of many commands: ${letters.join(', ')} and ${others} more; see relctl help flags`);
}

/** What a flag means, cut where it would take a second line. */
function fittedMeaning(page: Page, flag: FlagText): string {
  const whole = meaningOf(flag);
  return whole.length > page.width * 0.6 ? briefMeaningOf(flag) : whole;
}

function someFlags(page: Page, command: CommandText, count: number): Lines {
  const all = ownGroups(command.flags).flatMap(({ flags }) => flags);
  if (all.length === 0) return [];
  const first = all.toSorted((left, right) => Number(right.required === true) - Number(left.required === true));
  const rest = first.slice(count);
  return section(page, 'FLAGS', [
    ...twoColumns(
      page,
      flagEntries(first.slice(0, count), (flag) => fittedMeaning(page, flag)),
    ),
    ...(rest.length === 0 ? [] : hanging(page, '  More: ', listOfNames(rest))),
  ]);
}

function briefWith(page: Page, command: CommandText, flagCount: number): Lines {
  return joined([
    [...hanging(page, '', withProgramName(command.summary ?? ''))],
    usageLines(page, command),
    exampleLines(page, command, limitsOfBriefHelp.examples),
    argumentLines(page, command),
    someFlags(page, command, flagCount),
    [
      ...operationLines(page, command),
      ...sharedLines(page, command),
      ...hanging(page, '', `Full help: relctl ${typed(command.id)} --help`),
    ],
  ]);
}

/** The short help of a command: as many of its flags as fit into 32 lines, and the names of the others. */
export function briefHelp(page: Page, command: CommandText): Lines {
  const own = ownGroups(command.flags).flatMap(({ flags }) => flags);
  for (let count = own.length; count > 0; count -= 1) {
    const lines = briefWith(page, command, count);
    if (lines.length <= limitsOfBriefHelp.lines) return lines;
  }
  return briefWith(page, command, 0);
}

function flagSections(page: Page, { flags }: CommandText): readonly Lines[] {
  return ownGroups(flags).map((group) =>
    section(page, group.title, twoColumns(page, flagEntries(group.flags, meaningOf))),
  );
}

/** All that is to be said of a command. The flags of many commands are named; they are explained once, for all. */
export function fullHelp(page: Page, command: CommandText): Lines {
  const { summary = '', description, examples = [], flags } = command;
  return joined([
    hanging(page, '', withProgramName(summary)),
    usageLines(page, command),
    exampleLines(page, command, examples.length),
    argumentLines(page, command),
    description === undefined ? [] : section(page, 'DESCRIPTION', paragraph(page, withProgramName(description))),
    ...flagSections(page, command),
    section(page, 'FLAGS OF MANY COMMANDS (relctl help flags)', paragraph(page, listOfNames(sharedFlags(flags)))),
    operationLines(page, command),
  ]);
}

type FlagText = Command.Loadable['flags'][string];

/** A text of the manifest, in which the name of the program may stand for itself. */
export const withProgramName = (text: string): string => text.replaceAll('<%= config.bin %>', 'relctl');

const groupsOfSharedFlags: readonly string[] = ['OUTPUT', 'CSV', 'CONNECTION', 'GLOBAL'];

const lastGroups: readonly string[] = ['PAGING', 'EXPORT', 'WRITING'];

function valueOf(flag: FlagText): string {
  if (flag.type === 'boolean') return '';
  const { helpValue = flag.name.toUpperCase() } = flag;
  return `=${typeof helpValue === 'string' ? helpValue : helpValue.join(' ')}`;
}

/** A flag as it is typed, without its letter: `--limit=N`, `--[no-]header`. */
const longForm = (flag: FlagText): string =>
  `--${flag.type === 'boolean' && flag.allowNo ? '[no-]' : ''}${flag.name}${valueOf(flag)}`;

/** What a flag means, with its variable where it has one. */
function meaningOf({ summary = '', env }: FlagText): string {
  const text = withProgramName(summary);
  return env === undefined || text.includes(env) ? text : `${text.replace(/\.$/, '')} (${env}).`;
}

/** The first part of what a flag means, for where there is little room: nothing behind a semicolon or a second sentence. */
const briefMeaningOf = (flag: FlagText): string => {
  const [first = ''] = meaningOf(flag).split(/; |(?<=\w)\. /);
  return first.endsWith('.') ? first : `${first}.`;
};

/** Flags with what they mean; all leave room for a letter when one has it. */
function flagEntries(flags: readonly FlagText[], meaning: (flag: FlagText) => string): readonly Entry[] {
  const hasLetters = flags.some(({ char }) => char !== undefined);
  return flags.map((flag) => {
    const letter = flag.char === undefined ? (hasLetters ? '    ' : '') : `-${flag.char}, `;
    return [letter + longForm(flag), meaning(flag)] as const;
  });
}

const visibleFlags = (flags: Command.Loadable['flags']): readonly FlagText[] =>
  Object.values(flags).filter(({ hidden }) => hidden !== true);

const sharedFlags = (flags: Command.Loadable['flags']): readonly FlagText[] =>
  groupsOfSharedFlags.flatMap((group) => visibleFlags(flags).filter(({ helpGroup }) => helpGroup === group));

/** The other flags of a command by their groups: those of it alone, then those of lists and of writing. */
function ownGroups(flags: Command.Loadable['flags']) {
  const own = visibleFlags(flags).filter(({ helpGroup = '' }) => !groupsOfSharedFlags.includes(helpGroup));
  const groups = [...new Set(own.map(({ helpGroup = '' }) => helpGroup))];
  const sorted = groups.toSorted((left, right) => lastGroups.indexOf(left) - lastGroups.indexOf(right));
  return sorted.map((group) => ({
    title: group === '' ? 'FLAGS' : `${group} FLAGS`,
    flags: own.filter(({ helpGroup = '' }) => helpGroup === group),
  }));
}
