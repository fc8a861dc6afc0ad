/**
 * The lines of a text that goes on behind a line that was begun; the last is a line that is begun, or empty. What was begun
 * is not looked at again: a line may come in thousands of pieces.
 */
export function linesBehind(begun: string, text: string): string[] {
  const lines = text.split('\n');
  lines[0] = begun + (lines[0] ?? '');
  return lines;
}
