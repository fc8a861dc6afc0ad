import { readWords, type Shell, type TypedWord } from '../../lexical/shell/words.js';

export { shells } from '../../lexical/shell/words.js';

/** A command line up to the cursor. */
export interface TypedLine {
  /** The words before the cursor, without the name of the program. */
  readonly words: readonly string[];
  readonly current: TypedWord;
}

/** The longest line that is read, in characters. */
const longest = 65_536;

/** Reads the line of a shell up to the cursor (pure). */
export function readLine(shell: Shell, line: string): TypedLine {
  const words = readWords(shell, line.slice(0, longest));
  const current = words.at(-1) ?? { raw: '', text: '', quote: '' };
  return { words: words.slice(1, -1).map(({ text }) => text), current };
}

/** The meaning of the beginning of a word (pure). */
export const meaningOf = (shell: Shell, raw: string): string => readWords(shell, raw).at(-1)?.text ?? '';
