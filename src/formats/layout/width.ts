// These three are functions, so that V8 builds their classes when a text first needs them, and not at each start.
const wide = (): RegExp =>
  /^(?:[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})/u;
const prefixed = /^[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]+/u;
const zero = (): RegExp => /^[\p{Mn}\p{Me}\p{Cf}]/u;
const pictograph = (): RegExp => /^\p{Extended_Pictographic}/u;
// Latin letters, and the dashes, quotes and ellipsis of running text
const plain = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u20ac]*$/;

// Greek, Cyrillic and Hebrew letters too, signs that stand for controls, kana, Han and Hangul
const alike =
  /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u05d0-\u05ea\u2010-\u2027\u20ac\u2192\u23ce\u2400-\u2426\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3]*$/;

/** What cuts texts is made when first needed, because that takes milliseconds. */
let segmenter: Intl.Segmenter | undefined;

/** Places of a text that are cut at once: V8 takes minutes for a text of a million. */
const partLength = 512;

/** The end of a part, not within a pair of surrogates. */
function partEnd(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

function* graphemesOf(text: string): Generator<string, undefined> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  let room = partLength;
  for (let at = 0; at < text.length;) {
    const end = partEnd(text, at + room);
    const segments = Array.from(segmenter.segment(text.slice(at, end)), ({ segment }) => segment);
    // The last one may go on behind the part.
    if (end < text.length) segments.pop();
    for (const segment of segments) {
      yield segment;
      at += segment.length;
    }
    room = segments.length === 0 ? room * 2 : partLength;
  }
}

function graphemeWidth(grapheme: string): number {
  // Number signs, which join what follows them but are drawn all the same.
  const [marks] = prefixed.exec(grapheme) ?? [];
  if (marks !== undefined) return Array.from(marks).length + displayWidth(grapheme.slice(marks.length));
  if (wide().test(grapheme) || (grapheme.includes('\ufe0f') && pictograph().test(grapheme))) return 2;
  return zero().test(grapheme) ? 0 : 1;
}

/** True for text of single-width characters only, about which every measure agrees. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

/** True for text that cli-table3 measures and cuts as `displayWidth` and `truncate` do. */
export function isCountedAlike(text: string): boolean {
  return alike.test(text);
}

/** Columns that a text takes on a terminal: wide East Asian characters and emoji take two, combining ones none. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const segment of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

/** Text cut to a width, with … at the end when something was cut; never within a character as people see it. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (plain.test(text)) return width < 1 ? '' : `${text.slice(0, width - 1)}…`;
  let head = '';
  let used = 0;
  for (const segment of graphemesOf(text)) {
    const next = used + graphemeWidth(segment);
    if (next > width - 1) break;
    head += segment;
    used = next;
  }
  return width < 1 ? '' : `${head}…`;
}

/** A text in pieces no wider than a width, of at least one character each. It is gone through once: it may be long. */
function* piecesOf(text: string, width: number): Generator<string> {
  if (plain.test(text)) {
    const step = Math.max(1, width);
    for (let at = 0; at < text.length; at += step) yield text.slice(at, at + step);
    return;
  }
  let piece = '';
  let used = 0;
  for (const segment of graphemesOf(text)) {
    const more = graphemeWidth(segment);
    if (used + more > width && piece !== '') {
      yield piece;
      [piece, used] = ['', 0];
    }
    piece += segment;
    used += more;
  }
  if (piece !== '') yield piece;
}

/** Text with blanks up to a width. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Text with blanks before it up to a width. */
export function padLeft(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

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
