/**
 * Makes what writes cells by RFC 4180: quoted when they hold the delimiter, a quote or a line break; quotes doubled; otherwise to
 * the character.
 */
export function csvQuote(delimiter: string): (cell: string) => string {
  // A bracket or a circumflex would be no character of the class but part of its form.
  const needsQuotes = new RegExp(`["\\r\\n${delimiter.replace(/[\\\]^-]/, '\\$&')}]`);
  return (cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
}
