import type { Command, Config } from '@oclif/core';

/** The commands that call an operation, as they are typed, by what the manifest says of them. */
export function commandsOf({ commands }: Pick<Config, 'commands'>, operation: string): readonly string[] {
  const described: readonly (Command.Loadable & { readonly operations?: readonly string[] })[] = commands;
  const found = described.filter(({ operations = [] }) => operations.includes(operation));
  return found.map(({ id }) => id.replaceAll(':', ' ')).sort();
}
