import { displayWidth, piecesOf } from './width.js';

/** The words of a text with the blanks before them; words that are wider than a line in pieces. */
function* wordsOf(text: string, width: number): Generator<readonly [blanks: string, word: string]> {
  for (const [, blanks = '', word = ''] of text.matchAll(/( *)([^ ]+|$)/g)) {
    if (word === '') continue;
    let before = blanks;
    for (const piece of displayWidth(word) <= width ? [word] : piecesOf(word, width)) {
      yield [before, piece];
      before = '';
    }
  }
}

/**
 * A line of text as lines that are no wider than a width: broken at blanks, and within words that are too wide. Only the
 * blanks at a break are lost.
 */
export function* wrapped(text: string, width: number): Generator<string> {
  const room = Math.max(1, width);
  let line: string | undefined;
  let used = 0;
  for (const [blanks, word] of wordsOf(text, room)) {
    const more = blanks.length + displayWidth(word);
    if (line !== undefined && used + more <= room) {
      line += blanks + word;
      used += more;
      continue;
    }
    if (line !== undefined) yield line;
    const isFirst = line === undefined && more <= room;
    line = isFirst ? blanks + word : word;
    used = isFirst ? more : displayWidth(word);
  }
  yield line ?? '';
}
