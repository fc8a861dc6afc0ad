import { compile, tokenize } from '@jmespath-community/jmespath';
import { mistakeAt, wordAt, type Given, type Words } from './mistake.js';

/** A parsed expression. */
export type Tree = ReturnType<typeof compile>;

/** A part of an expression, with its place. */
export interface Token {
  readonly type: string;
  readonly value: unknown;
  readonly start: number;
  /** Its letters. */
  readonly text: string;
}

/** Letters of an expression, parts that are within each other, and levels of its tree: what reads them calls itself. */
const limits = { letters: 16_384, depth: 200, levels: 1000 };

/** Tokens with their texts. Throws what the lexer throws. */
function tokensOf(text: string): readonly Token[] {
  const tokens = tokenize(text);
  return tokens.map((token, at) => ({ ...token, text: text.slice(token.start, tokens[at + 1]?.start).trimEnd() }));
}

/** Parts of an expression that the lexer reads each by itself: a quoted text, or a letter. */
const part = /`(?:\\[\\`]|[^`])*`?|"(?:\\[\\"]|[^"])*"?|'(?:\\[\\']|[^'])*'?|./gsu;

/** The first part that the lexer cannot read, and where it begins. */
function unreadable(text: string): { readonly at: number; readonly found: string } {
  for (const { 0: found, index: at } of text.matchAll(part)) {
    try {
      tokenize(found);
    } catch {
      return { at, found };
    }
  }
  return { at: 0, found: text };
}

/** What is wrong with a part that the lexer cannot read. */
function unreadableWords(found: string): Words {
  const quote = found.slice(0, 1);
  if (quote !== '`' && quote !== '"') return [`'${found}' is no part of an expression`];
  if (found.length === 1 || !found.endsWith(quote)) return [noEnd(quote)];
  const inside = found.slice(1, -1).trim();
  const hint = inside === '' || /[\\']/.test(inside) ? undefined : `'${inside}'`;
  if (quote === '"') return [`${found} is no name: what is in double quotes is JSON`];
  return [`${found} is no value: what is in backticks is JSON, and a text stands in single quotes`, hint];
}

const noEnd = (quote: string): string => `a text that begins with ${quote} has no ${quote} at its end`;

const quotes = new Set(["'", '"', '`']);

/** The lexer takes a quoted text without its last quote as it is. */
function checkQuotes(given: Given, tokens: readonly Token[]): void {
  for (const { text, start } of tokens) {
    const quote = text[0] ?? '';
    const isOpen =
      quotes.has(quote) && (text.length < 2 || !text.endsWith(quote) || /(?<!\\)(?:\\\\)*\\.$/su.test(text));
    if (isOpen) throw mistakeAt(given, start, [noEnd(quote)]);
  }
}

/** A number in backticks is a double: one that has more digits would be another number. */
function checkNumbers(given: Given, tokens: readonly Token[]): void {
  for (const { type, value, text, start } of tokens) {
    if (type !== 'Literal' || typeof value !== 'number') continue;
    const digits = text.slice(1, -1).trim();
    if (String(value) === digits || Number.isSafeInteger(value)) continue;
    const isExact = digits.replace(/^-?0*\.?0*|\.|[eE].*$/g, '').length <= 15;
    if (!isExact)
      throw mistakeAt(given, start, [`${digits} has more digits than a number in backticks`, `'${digits}'`]);
  }
}

/** True when the start of an expression cannot be the start of any, whatever follows. */
function isBroken(start: string): boolean {
  try {
    compile(start);
    return false;
  } catch (thrown) {
    return !(thrown instanceof Error && /\(EOF\)|got: EOF|type: EOF/.test(thrown.message));
  }
}

/** Tokens whose starts are tried one after the other: of more, halves are, because each try reads its start anew. */
const mostTries = 64;

/** The parser does not tell the place: it is the last token of the first part that cannot be the start of an expression. */
function brokenAt(text: string, tokens: readonly Token[]): number {
  let [low, high] = [0, tokens.length];
  const isBrokenBehind = (index: number): boolean => isBroken(text.slice(0, tokens[index + 1]?.start ?? text.length));
  while (high - low > mostTries) {
    const middle = Math.floor((low + high) / 2);
    if (isBrokenBehind(middle)) high = middle + 1;
    else low = middle + 1;
  }
  for (let index = low; index < high; index += 1) if (isBrokenBehind(index)) return tokens[index]?.start ?? text.length;
  return text.length;
}

function checkDepth(given: Given, tokens: readonly Token[]): void {
  let depth = 0;
  for (const { type, start } of tokens) {
    if (/^L|^Filter$|^Not$|^Minus$|^Plus$|^Expref$/.test(type) && type !== 'Literal') depth += 1;
    if (/^R(?:bracket|brace|paren)$/.test(type)) depth -= 1;
    if (depth > limits.depth) throw mistakeAt(given, start, [`more than ${limits.depth} parts within each other`]);
  }
}

/** Parts in a row, as with `||`, and lists in backticks are levels as well. The tree is walked without a call for each. */
function checkLevels(given: Given, tree: Tree): void {
  let nodes: readonly unknown[] = [tree];
  for (let level = 0; nodes.length > 0; level += 1) {
    if (level > limits.levels)
      throw mistakeAt(given, 0, [`more than ${limits.levels} parts behind or within each other`]);
    nodes = nodes.flatMap((node): unknown[] => (typeof node === 'object' && node !== null ? Object.values(node) : []));
  }
}

function compiled(given: Given, tokens: readonly Token[]): Tree {
  const { text } = given;
  try {
    return compile(text);
  } catch {
    const { at, words } = brokenText(text, brokenAt(text, tokens), tokens);
    throw mistakeAt(given, at, words);
  }
}

/** Words of other languages, and what stands for them here. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ['and', '&&'],
  ['or', '||'],
  ['<>', '!='],
]);

/** What is wrong with a word that cannot stand where it is. */
function misplaced(word: string, token: Token | undefined): Words {
  const meant = otherWords.get(word.toLowerCase());
  if (meant !== undefined) return [`'${word}' is written ${meant} here`, meant];
  if (token?.type === 'Number') return ['a number stands in backticks', `\`${word}\``];
  return [`'${token?.text ?? word}' cannot stand here`];
}

/** What is wrong with an expression that is broken at a place, and the place to show. */
function brokenText(
  text: string,
  at: number,
  tokens: readonly Token[],
): { readonly at: number; readonly words: Words } {
  if (at >= text.length) return { at, words: ['the expression ends too early'] };
  const token = tokens.find(({ start }) => start === at);
  const before = tokens.filter(({ start }) => start < at).at(-1);
  if (before?.type === 'Assign') return { at: before.start, words: ['one = compares nothing', '=='] };
  // Of these two signs, the second is what cannot stand here.
  const start = before !== undefined && text.startsWith('<>', before.start) ? before.start : at;
  return { at: start, words: misplaced(wordAt(text, start), token) };
}

/** The tokens and the tree of an expression. Throws `usage` with the place. */
export function parseExpression(given: Given): { readonly tokens: readonly Token[]; readonly tree: Tree } {
  const { text } = given;
  if (text.trim() === '') throw mistakeAt(given, 0, ['the expression is empty']);
  if (text.length > limits.letters) throw mistakeAt(given, limits.letters, [`more than ${limits.letters} letters`]);
  let tokens;
  try {
    tokens = tokensOf(text);
  } catch {
    const { at, found } = unreadable(text);
    throw mistakeAt(given, at, unreadableWords(found));
  }
  checkQuotes(given, tokens);
  checkNumbers(given, tokens);
  checkDepth(given, tokens);
  const tree = compiled(given, tokens);
  checkLevels(given, tree);
  return { tokens, tree };
}
