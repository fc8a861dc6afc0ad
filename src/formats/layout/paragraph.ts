import { displayWidth, piecesOf } from './width.js';

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

function* partsOf(word: string, width: number): Generator<string> {
  if (displayWidth(word) <= width) yield word;
  else yield* word.includes('/') ? pathPieces(word, width) : piecesOf(word, width);
}

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

/** Words of a text; what stands in backticks is one. */
const word = /(?:`[^`]*`|\S)+/g;

/**
 * Lines of a text that is broken between words, each but the first behind an indent. A command in backticks stays whole,
 * so that it can be pasted; so does a word that is longer than a line.
 */
export function wrapWords(text: string, width: number, indent: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const [each] of text.matchAll(word)) {
    const next = line === '' ? each : `${line} ${each}`;
    const start = lines.length === 0 ? '' : indent;
    if (line !== '' && displayWidth(`${start}${next}`) > width) {
      lines.push(`${start}${line}`);
      line = each;
    } else line = next;
  }
  return line === '' ? lines : [...lines, `${lines.length === 0 ? '' : indent}${line}`];
}
