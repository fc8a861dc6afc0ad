/** UTF-16 units by which a text may grow before it is made one piece, as a power of two. */
const pieceBits = 18;

/**
 * A text with more behind it. What comes in millions of small pieces would be kept as a tree of them, at 32 bytes each, until
 * something looks at its characters: one of them is looked at now and then.
 */
export function append(text: string, more: string): string {
  const whole = text + more;
  const isDue = whole.length >>> pieceBits !== text.length >>> pieceBits;
  return isDue && Number.isNaN(whole.charCodeAt(0)) ? '' : whole;
}

/**
 * The lines of a text that goes on behind a line that was begun; the last is a line that is begun, or empty. What was begun
 * is not looked at again: a line may come in thousands of pieces.
 */
export function linesAfter(begun: string, text: string): string[] {
  const lines = text.split('\n');
  lines[0] = begun + (lines[0] ?? '');
  return lines;
}
