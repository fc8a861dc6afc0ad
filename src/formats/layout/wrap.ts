import { displayWidth, piecesOf } from './width.js';

/** A path that is wider than a line in pieces that fit: behind its slashes where it can be broken there. */
function* pathPieces(path: string, width: number): Generator<string> {
  let piece = '';
  for (const [part] of path.matchAll(/[^/]*\/|[^/]+$/g)) {
    if (displayWidth(piece + part) <= width) {
      piece += part;
      continue;
    }
    if (piece !== '') yield piece;
    const [...pieces] = displayWidth(part) <= width ? [part] : piecesOf(part, width);
    piece = pieces.pop() ?? '';
    yield* pieces;
  }
  if (piece !== '') yield piece;
}

/** The pieces of a word: itself where it fits. */
function* partsOf(word: string, width: number): Generator<string> {
  if (displayWidth(word) <= width) yield word;
  else yield* word.includes('/') ? pathPieces(word, width) : piecesOf(word, width);
}

/** The words of a text with the blanks before them; words that are wider than a line in pieces. */
function* wordsOf(text: string, width: number): Generator<readonly [blanks: string, word: string]> {
  for (const [, blanks = '', word = ''] of text.matchAll(/( *)([^ ]+|$)/g)) {
    if (word === '') continue;
    let before = blanks;
    for (const piece of partsOf(word, width)) {
      yield [before, piece];
      before = '';
    }
  }
}

/**
 * A line of text as lines that are no wider than a width: broken at blanks, and within words that are too wide: paths behind a slash. Only the
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
