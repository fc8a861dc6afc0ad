import type { Command } from '@oclif/core';
import {
  briefMeaningOf,
  flagEntries,
  longForm,
  meaningOf,
  ownGroups,
  sharedFlags,
  withProgramName,
  type FlagText,
} from './flags.js';
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
  const given = required.map((flag) => longForm(flag).replace('=', ' '));
  return hanging(page, 'Usage: ', ['relctl', typed(command.id), ...words, ...given, '[FLAGS]'].join(' '));
}

const argumentEntries = (command: CommandText): readonly Entry[] =>
  visibleArguments(command).map(
    ({ name, description = '' }) => [name.toUpperCase(), withProgramName(description)] as const,
  );

const argumentLines = (page: Page, command: CommandText): Lines =>
  visibleArguments(command).length === 0 ? [] : section(page, 'ARGUMENTS', twoColumns(page, argumentEntries(command)));

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

function briefWith(page: Page, command: CommandText, shownFlags: number): Lines {
  return joined([
    [...hanging(page, '', withProgramName(command.summary ?? ''))],
    usageLines(page, command),
    exampleLines(page, command, limitsOfBriefHelp.examples),
    argumentLines(page, command),
    someFlags(page, command, shownFlags),
    [
      ...operationLines(page, command),
      ...sharedLines(page, command),
      ...hanging(page, '', `All about it: relctl ${typed(command.id)} --help`),
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
