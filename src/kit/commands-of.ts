import type { Command, Config } from '@oclif/core';

type Commands = Pick<Config, 'commands'>;

type Described = Command.Loadable & { readonly operations?: readonly string[] };

const described = ({ commands }: Commands): readonly Described[] => commands;

/** The commands that call an operation, as they are typed, by what the manifest says of them. */
export function commandsOf(config: Commands, operation: string): readonly string[] {
  const found = described(config).filter(({ operations = [] }) => operations.includes(operation));
  return found.map(({ id }) => id.replaceAll(':', ' ')).sort();
}

/** The operations that a command calls, by the words that it is typed with; none for what is no command. */
export const operationsOf = (config: Commands, words: readonly string[]): readonly string[] =>
  described(config).find(({ id }) => id === words.join(' ').replaceAll(' ', ':'))?.operations ?? [];
