import type { Command } from '@oclif/core';
import type { Entry } from './layout.js';

/** A flag as the manifest keeps it. */
export type FlagText = Command.Loadable['flags'][string];

/** A text of the manifest, in which the name of the program may stand for itself. */
export const withProgramName = (text: string): string => text.replaceAll('<%= config.bin %>', 'relctl');

const groupsOfSharedFlags: readonly string[] = ['OUTPUT', 'CSV', 'CONNECTION', 'GLOBAL'];

const lastGroups: readonly string[] = ['PAGING', 'EXPORT', 'WRITING'];

/** Flags of one heading. */
export interface FlagGroup {
  readonly title: string;
  readonly flags: readonly FlagText[];
}

function valueOf(flag: FlagText): string {
  if (flag.type === 'boolean') return '';
  const { helpValue = flag.name.toUpperCase() } = flag;
  return `=${typeof helpValue === 'string' ? helpValue : helpValue.join(' ')}`;
}

/** A flag as it is typed, without its letter: `--limit=N`, `--[no-]header`. */
export const longForm = (flag: FlagText): string =>
  `--${flag.type === 'boolean' && flag.allowNo ? '[no-]' : ''}${flag.name}${valueOf(flag)}`;

/** What a flag means, with its variable where it has one. */
export function meaningOf({ summary = '', env }: FlagText): string {
  const text = withProgramName(summary);
  return env === undefined || text.includes(env) ? text : `${text.replace(/\.$/, '')} (${env}).`;
}

/** The first part of what a flag means, for where there is little room: nothing behind a semicolon or a second sentence. */
export const briefMeaningOf = (flag: FlagText): string => {
  const [first = ''] = meaningOf(flag).split(/; |(?<=\w)\. /);
  return first.endsWith('.') ? first : `${first}.`;
};

/** Flags with what they mean; all leave room for a letter when one has it. */
export function flagEntries(flags: readonly FlagText[], meaning: (flag: FlagText) => string): readonly Entry[] {
  const hasLetters = flags.some(({ char }) => char !== undefined);
  return flags.map((flag) => {
    const letter = flag.char === undefined ? (hasLetters ? '    ' : '') : `-${flag.char}, `;
    return [letter + longForm(flag), meaning(flag)] as const;
  });
}

const visibleFlags = (flags: Command.Loadable['flags']): readonly FlagText[] =>
  Object.values(flags).filter(({ hidden }) => hidden !== true);

/** The flags that a command shares with many others. */
export const sharedFlags = (flags: Command.Loadable['flags']): readonly FlagText[] =>
  groupsOfSharedFlags.flatMap((group) => visibleFlags(flags).filter(({ helpGroup }) => helpGroup === group));

/** The other flags of a command by their groups: those of it alone, then those of lists and of writing. */
export function ownGroups(flags: Command.Loadable['flags']): readonly FlagGroup[] {
  const own = visibleFlags(flags).filter(({ helpGroup = '' }) => !groupsOfSharedFlags.includes(helpGroup));
  const groups = [...new Set(own.map(({ helpGroup = '' }) => helpGroup))];
  const sorted = groups.toSorted((left, right) => lastGroups.indexOf(left) - lastGroups.indexOf(right));
  return sorted.map((group) => ({
    title: group === '' ? 'FLAGS' : `${group} FLAGS`,
    flags: own.filter(({ helpGroup = '' }) => helpGroup === group),
  }));
}
