/** A word of a command line, quoted where a shell would take it for something else; zsh looks for a program behind `=`. */
export const shellWord = (word: string): string =>
  /^(?!=)[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** A command of this program as a shell takes it, from the words that follow its name. */
export const shellCommand = (words: readonly string[]): string => ['relctl', ...words].map(shellWord).join(' ');

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\' };

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;

const escaped = (character: string): string =>
  named[character] ?? (invisible.test(character) ? Array.from(Buffer.from(character), octal).join('') : character);

/**
 * The same command line for a person, who may copy it from a terminal: what that does not show as it is, such as a line break,
 * is written by escapes, as bash and zsh read them in `$'…'`.
 * @param line whose words are as shellWord writes them
 */
export const seenCommand = (line: string): string =>
  line.replace(/\\'|'[^']*'/g, (part) => (invisible.test(part) ? `$${Array.from(part, escaped).join('')}` : part));
