const token =
  /[\t\n\r ]*(?:([[\]{},:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/** What may come next: a value, an item or the end of the list, a name or the end of the object, and so on. */
type Expected = 'value' | 'item' | 'first name' | 'name' | 'colon' | 'comma';

interface State {
  expected: Expected;
  /** The brackets that are open, innermost last. */
  readonly open: string[];
}

function close(state: State, bracket: string): boolean {
  if (state.open.pop() !== (bracket === ']' ? '[' : '{')) return false;
  state.expected = 'comma';
  return true;
}

function takeValue(state: State, text: string): boolean {
  if (text === '[' || text === '{') {
    state.open.push(text);
    state.expected = text === '[' ? 'item' : 'first name';
    return true;
  }
  state.expected = 'comma';
  return !/^[\]},:]$/.test(text);
}

function takeComma(state: State, text: string): boolean {
  if (text === ']' || text === '}') return close(state, text);
  state.expected = state.open.at(-1) === '[' ? 'value' : 'name';
  return text === ',' && state.open.length > 0;
}

function takeName(state: State, text: string): boolean {
  state.expected = 'colon';
  return text.startsWith('"');
}

/** Goes one token on; false when the token may not stand there. */
function take(state: State, text: string): boolean {
  switch (state.expected) {
    case 'item':
      return text === ']' ? close(state, text) : takeValue(state, text);
    case 'value':
      return takeValue(state, text);
    case 'first name':
      return text === '}' ? close(state, text) : takeName(state, text);
    case 'name':
      return takeName(state, text);
    case 'colon':
      state.expected = 'value';
      return text === ':';
    case 'comma':
      return takeComma(state, text);
  }
}

/**
 * The offset in a text, in UTF-16 units, from which it is not JSON any more; its length when only the end is missing.
 * Undefined for JSON. The platform's own parser tells it in some versions only, and together with the text around it.
 */
export function jsonDamage(text: string): number | undefined {
  const state: State = { expected: 'value', open: [] };
  for (let at = 0; ;) {
    const rest = /[^\t\n\r ]/g;
    rest.lastIndex = at;
    const start = rest.exec(text)?.index;
    if (start === undefined) return state.expected === 'comma' && state.open.length === 0 ? undefined : text.length;
    token.lastIndex = start;
    const found = token.exec(text)?.[0];
    if (found === undefined || !take(state, found)) return start;
    at = start + found.length;
  }
}
