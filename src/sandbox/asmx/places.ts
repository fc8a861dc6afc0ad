/** What stands between two runs of text in a document. */
interface Markup {
  readonly kind: 'open' | 'empty' | 'close' | 'aside' | 'section';
  readonly at: number;
  readonly end: number;
}

// The branches of a tag begin with different characters, so that the pattern never goes back over what it has read.
const markup = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<\/[^>]*>|<(?:[^>"']+|"[^"]*"|'[^']*')*>/g;

function kindOf(text: string): Markup['kind'] {
  if (text.startsWith('<![')) return 'section';
  if (text.startsWith('<!') || text.startsWith('<?')) return 'aside';
  if (text.startsWith('</')) return 'close';
  return text.endsWith('/>') ? 'empty' : 'open';
}

/** The markup of a document that is known to be well-formed. */
function* markupOf(text: string): Generator<Markup> {
  for (const match of text.matchAll(markup)) {
    yield { kind: kindOf(match[0]), at: match.index, end: match.index + match[0].length };
  }
}

/**
 * Numbers of the elements that hold a comment or an instruction between their own tags. Elements are counted from 0 as
 * they open. The document must be well-formed.
 */
export function elementsWithAsides(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (!/<!--|<\?(?!xml\s)/.test(text)) return found;
  const open: number[] = [];
  let count = 0;
  for (const { kind } of markupOf(text)) {
    const inside = open.at(-1);
    if (kind === 'aside' && inside !== undefined) found.add(inside);
    if (kind === 'open') open.push(count);
    if (kind === 'close') open.pop();
    if (kind === 'open' || kind === 'empty') count += 1;
  }
  return found;
}

/** Index behind the end tag of an element, counted from 0 as they open; the document must be well-formed. */
function endOf(text: string, element: number): number {
  const open: number[] = [];
  let count = 0;
  for (const { kind, end } of markupOf(text)) {
    if (kind === 'close' && open.pop() === element) return end;
    if (kind === 'empty' && count === element) return end;
    if (kind === 'open') open.push(count);
    if (kind === 'open' || kind === 'empty') count += 1;
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
