/** What a terminal does not show, or acts upon. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\', "'": "\\'" };

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;

/** Within `'…'`. */
const inQuotes = (text: string): string => text.replaceAll("'", `'\\''`);

/** Within `$'…'`, as bash and zsh read it: the bytes of what is not seen in UTF-8. */
const inEscapes = (text: string): string =>
  Array.from(
    text,
    (each) => named[each] ?? (unseen.test(each) ? [...Buffer.from(each)].map(octal).join('') : each),
  ).join('');

/**
 * A word of a command line, quoted where a shell would take it for something else; zsh looks for a program behind `=`. What a
 * terminal does not show as it is, such as a line break, is written by escapes: a line that is copied from a terminal must
 * not hold another text.
 */
export function shellWord(word: string): string {
  if (/^(?!=)[\w@%+=:,./-]+$/.test(word)) return word;
  return unseen.test(word) ? `$'${inEscapes(word)}'` : `'${inQuotes(word)}'`;
}

/** All forms in which a text may stand within a word of a shell. */
export const shellForms = (text: string): readonly string[] => [text, inQuotes(text), inEscapes(text)];

/** A command of this program as a shell takes it, from the words that follow its name. */
export const shellCommand = (words: readonly string[]): string => ['relctl', ...words].map(shellWord).join(' ');
