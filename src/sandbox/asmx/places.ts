// The branches of a tag begin with different characters, so that the pattern never backtracks.
const markup = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<\/[^>]*>|<(?:[^>"']+|"[^"]*"|'[^']*')*>/g;

/** Index behind the end tag of an element, counted from 0 as they open; the document must be well-formed. */
function endOf(text: string, element: number): number {
  const open: number[] = [];
  let count = 0;
  for (const { 0: tag, index } of text.matchAll(markup)) {
    if (/^<[!?]/.test(tag)) continue;
    const isEndTag = tag.startsWith('</');
    if (!isEndTag) {
      open.push(count);
      count += 1;
    }
    if ((isEndTag || tag.endsWith('/>')) && open.pop() === element) return index + tag.length;
  }
  return text.length;
}

/** How many characters of markup stand before the name to which .NET's reader points. */
function leadOf(text: string, at: number): number {
  if (text.startsWith('</', at)) return 2;
  return text.startsWith('<', at) ? 1 : 0;
}

/**
 * Line and column, counted from 1, at which .NET's reader stands when it has read an element: at the name in the tag
 * behind it.
 */
export function placeBehind(text: string, element: number): { readonly line: number; readonly column: number } {
  const end = endOf(text, element);
  const at = end + leadOf(text, end);
  const before = text.slice(0, at).split(/\r\n|[\r\n]/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
