import { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import { isObject } from '../../plain/object.js';

/** Member of the profile file that holds the aliases of command lines: they belong to the user, not to a profile. */
export const commandAliasesKey = 'commandAliases';

/** Command lines by their names, without the name of the program. */
export type CommandAliases = Readonly<Record<string, string>>;

/** Bounds that keep the profile file far below its own. */
const most = { aliases: 200, characters: 2000 };

/** The aliases of command lines in a profile file. Throws `profile` when they are not readable. */
export function commandAliasesOf(content: Readonly<Record<string, unknown>>): CommandAliases {
  const found = content[commandAliasesKey] ?? {};
  if (isObject(found) && Object.values(found).every((line) => typeof line === 'string'))
    return Object.fromEntries(Object.entries(found).map(([name, line]) => [name, String(line)]));
  throw new RelctlError('profile', `the member ${commandAliasesKey} of the profile file has no usable value`, {
    facts: { path: commandAliasesKey },
  });
}

const form = /^[a-z][a-z0-9-]{0,31}$/i;

/** Throws `usage` for a text that cannot name a command line: what every object has by birth neither. */
export function checkCommandAlias(name: string): void {
  if (form.test(name) && !(name in {})) return;
  throw usage('NAME', 'an alias is a word of letters, digits and -, at most 32, beginning with a letter', {
    hint: 'relctl alias set NAME "relation list --limit 5"',
  });
}

/** Throws `usage` for a line that is too long, or holds what cannot be seen. */
export function checkAliasLine(line: string): void {
  if (line.length > most.characters) throw usage('LINE', `the line has more than ${most.characters} characters`);
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)) throw usage('LINE', 'the line holds a line break, or what cannot be seen');
}

/** How `withCommandAlias` treats a name that stands for another line already. */
interface Replacing {
  readonly replaces: boolean;
}

/**
 * The aliases with one more, or with another line for it; null takes it away. Throws `usage` for a name that stands for
 * another line, unless that is to be replaced, and for more aliases than are kept.
 */
export function withCommandAlias(
  aliases: CommandAliases,
  { name, line }: { readonly name: string; readonly line: string | null },
  { replaces }: Replacing,
): CommandAliases {
  const known = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  if (line !== null && known !== undefined && known !== line && !replaces) {
    throw usage('--force', `the alias '${name}' stands for another line already: ${known}`, '--force');
  }
  const others = Object.entries(aliases).filter(([other]) => other !== name);
  if (line !== null && others.length >= most.aliases) throw usage('NAME', `there are ${most.aliases} aliases already`);
  const added: [string, string][] = line === null ? [] : [[name, line]];
  return Object.fromEntries([...others, ...added].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
