import type { Environment } from '../../host/environment.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { flagNames, withoutFlags, type Known } from '../remedy/command-line.js';
import { aliasesOfUser } from './kept.js';
import { commandIn, lineWords } from './line.js';

/** An alias that was typed. */
export interface TypedAlias {
  readonly name: string;
  readonly line: string;
}

/** What was typed, with the line of an alias in the place of its name. */
export interface Expanded {
  readonly environment: Environment;
  readonly alias?: TypedAlias;
  /** Names of all aliases, where what was typed is none. */
  readonly names?: readonly string[];
  /** Why no alias could be looked for, or the line of this one not be read. */
  readonly trouble?: RelctlError;
}

/** What is known of the commands. */
export interface KnownCommands {
  readonly ids: readonly string[];
  /** The flags of one of them. */
  readonly flagsOf: (id: string) => Promise<Known['flags']>;
}

/** Formats: each takes the place of the other. */
const formatFlags = ['output', 'json'];

/** The words of a line without those flags of it that are typed anew behind the alias: these count. */
async function withoutTyped(
  words: readonly string[],
  typed: readonly string[],
  { ids, flagsOf }: KnownCommands,
): Promise<readonly string[]> {
  const found = commandIn(words, ids);
  if (found === undefined || typed.length === 0) return words;
  const command = { id: found.id, flags: await flagsOf(found.id) };
  const names = flagNames(typed, command).filter((name) => command.flags[name]?.multiple !== true);
  const others = names.some((name) => formatFlags.includes(name)) ? formatFlags : [];
  const kept = withoutFlags(found.rest, [...names, ...others], command);
  return [...words.slice(0, words.length - found.rest.length), ...kept];
}

/**
 * Puts the words of an alias in its place; once, so that no alias stands for another. What is typed behind it is added, and
 * takes the place of the same flag in its line. Never throws: what cannot be read is given, because it may be no alias that was
 * meant.
 * @param at the place of the word among the arguments that may be an alias
 */
export async function expand(environment: Environment, at: number, known: KnownCommands): Promise<Expanded> {
  const { argv } = environment;
  const name = argv[at] ?? '';
  try {
    const aliases = aliasesOfUser(environment);
    const line = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    if (line === undefined) return { environment, names: Object.keys(aliases) };
    const typed = argv.slice(at + 1);
    // `relctl contacts help`, as commands have it.
    const asksHelp = at === 1 || (typed.length === 1 && typed[0] === 'help');
    const own = await withoutTyped(lineWords(line), typed, known);
    const words = asksHelp ? ['help', ...own, ...(at === 1 ? typed : [])] : [...own, ...typed];
    return { environment: { ...environment, argv: words }, alias: { name, line } };
  } catch (thrown) {
    return { environment, trouble: RelctlError.from(thrown) };
  }
}
