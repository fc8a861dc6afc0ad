import type { Config } from '@oclif/core';
import type { Context } from '../../host/context.js';
import { positionals } from '../remedy/command-line.js';
import { aliasesOfUser } from './kept.js';
import { commandIn, lineWords } from './line.js';

/** What the line of an alias runs. */
interface AliasUse {
  readonly name: string;
  readonly line: string;
  /** Id of its command, `relation:get`; undefined where the line begins with none. */
  readonly id: string | undefined;
  /** Names of the operations that it may call: of `call` the one that the line names, of another command those of the command. */
  readonly operations: readonly string[];
}

/** What `defineCommand` puts into the manifest. */
interface Described {
  readonly operations?: readonly string[];
}

function useOf(config: Config, ids: readonly string[], [name, line]: readonly [string, string]): AliasUse {
  const found = commandIn(lineWords(line), ids);
  if (found === undefined) return { name, line, id: undefined, operations: [] };
  const { id, rest } = found;
  const command = config.findCommand(id, { must: true });
  const [operation] = id === 'call' ? positionals(rest, command) : [];
  const named = operation === undefined ? [] : [operation];
  const operations = id === 'call' ? named : ((command as Described).operations ?? []);
  return { name, line, id, operations };
}

/** What each alias of the user runs, by name. Throws `profile` where they cannot be read. */
function aliasUses(context: Context, config: Config): readonly AliasUse[] {
  const { commandIDs: ids } = config;
  return Object.entries(aliasesOfUser(context.environment)).map((entry) => useOf(config, ids, entry));
}

/** The names of the aliases that may call one of these operations. Throws `profile` where they cannot be read. */
export function aliasesCalling(context: Context, config: Config, operations: ReadonlySet<string>): readonly string[] {
  const isMeant = (name: string): boolean => operations.has(name);
  return aliasUses(context, config)
    .filter((use) => use.operations.some(isMeant))
    .map(({ name }) => name);
}
