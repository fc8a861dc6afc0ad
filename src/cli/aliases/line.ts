import { usage } from '../../errors/usage.js';
import { readWords } from '../../lexical/shell/words.js';

/** The program's name may stand before the words, as it does where a line is pasted. */
const program = 'relctl';

/** The words of the line of an alias, read as bash does. Throws `usage` for one in which a quotation mark is open. */
export function lineWords(line: string): readonly string[] {
  const words = readWords('bash', line);
  if (words.at(-1)?.quote !== '') {
    throw usage('LINE', 'a quotation mark is open at the end of the line', {
      advice: 'Quote the whole line in one way and words within it in the other: "relation list --where \'…\'".',
    });
  }
  const texts = words.filter(({ raw }) => raw !== '').map(({ text }) => text);
  return texts[0] === program ? texts.slice(1) : texts;
}

/** A command, and the words behind its name. */
export interface LineCommand {
  /** Its id, `relation:get`. */
  readonly id: string;
  readonly rest: readonly string[];
}

/** The command that words begin with, the longest; undefined where there is none. */
export function commandIn(words: readonly string[], ids: readonly string[]): LineCommand | undefined {
  const end = words.findIndex((word) => word.startsWith('-'));
  const leading = end === -1 ? words : words.slice(0, end);
  const count = leading
    .map((_word, at) => leading.length - at)
    .find((each) => ids.includes(leading.slice(0, each).join(':')));
  return count === undefined ? undefined : { id: leading.slice(0, count).join(':'), rest: words.slice(count) };
}
