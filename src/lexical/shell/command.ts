/** A word of a command line, quoted where a shell would take it for something else; zsh looks for a program behind `=`. */
export const shellWord = (word: string): string =>
  /^(?!=)[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** A command of this program as a shell takes it, from the words that follow its name. */
export const shellCommand = (words: readonly string[]): string => ['relctl', ...words].map(shellWord).join(' ');
