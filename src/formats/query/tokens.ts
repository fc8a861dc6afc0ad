import { RelctlError, perhaps } from '../../core/errors/relctl-error.js';
import { escapeForTerminal } from '../escape.js';
import { displayWidth } from '../layout/width.js';

/** What a part of an expression is. A `text` stands in single quotes, a `quoted` name in double quotes, backticks or brackets. */
type TokenKind = 'word' | 'quoted' | 'text' | 'number' | 'parameter' | 'sign';

/** A part of an expression, with its place. Comments and spaces are none. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** What it names: without its quotes, or without the sign of a parameter. */
  readonly name: string;
  /** Places of its first letter and behind its last one. */
  readonly at: number;
  readonly end: number;
}

/** True for what may name a column or a table. */
export const isName = ({ kind }: Token): boolean => kind === 'word' || kind === 'quoted';

/** A bare word in capitals; empty for anything else. */
export const wordOf = (token: Token | undefined): string => (token?.kind === 'word' ? token.text.toUpperCase() : '');

const limits = { letters: 1024 * 1024, tokens: 100_000 };

const blanks = /(?:[ \t\r\n\f]+|--[^\n]*|\/\*[^]*?\*\/)*/y;

const forms: readonly (readonly [TokenKind, RegExp])[] = [
  ['text', /[xX]?'[^']*(?:''[^']*)*'/y],
  ['quoted', /"[^"]*(?:""[^"]*)*"|`[^`]*(?:``[^`]*)*`|\[[^\]]*\]/y],
  ['word', /[\p{L}_][\p{L}\p{M}\p{N}_$]*/uy],
  ['parameter', /[:@$][\p{L}_][\p{L}\p{N}_]*|\?\d*/uy],
  ['number', /0[xX][0-9a-fA-F]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y],
  ['sign', /->>?|\|\||<>|<=|>=|<<|>>|==|!=?|\/(?!\*)|[-+*%&|~<>=(),.;]/y],
];

const unended: Readonly<Record<string, string>> = {
  "'": 'a text',
  '"': 'a name',
  '`': 'a name',
  '[': 'a name',
  '/': 'a comment',
};

function whyNot(letter: string): string {
  const opened = unended[letter];
  if (opened !== undefined) return `${opened} begins here and has no end`;
  if (/[\u2018-\u201f\u00b4]/.test(letter)) return `${letter} is not a quote in SQL: write texts in ', names in "`;
  const isPrintable = !/[\p{C}\p{Z}]/u.test(letter);
  const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `SQL has no ${isPrintable ? `'${letter}'` : `character U+${code}`}`;
}

function endOf(form: RegExp, text: string, at: number): number {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : at;
}

function nameOf(kind: TokenKind, text: string): string {
  if (kind === 'parameter') return text.slice(1);
  if (kind === 'quoted') {
    const quote = text.at(-1) ?? '';
    return text.slice(1, -1).replaceAll(quote + quote, quote);
  }
  return kind === 'text' ? text.replace(/^[xX]?'|'$/g, '').replaceAll("''", "'") : text;
}

function tokenAt(queryText: QueryText, at: number): Token {
  for (const [kind, form] of forms) {
    const end = endOf(form, queryText.text, at);
    if (end === at) continue;
    const text = queryText.text.slice(at, end);
    return { kind, text, name: nameOf(kind, text), at, end };
  }
  throw mistakeAt(queryText, at, [whyNot(String.fromCodePoint(queryText.text.codePointAt(at) ?? 0))]);
}

/**
 * The tokens of SQL as SQLite reads it. Throws `usage` with the place of what is none: a quote or comment without its end, a
 * character that only looks like a space or a quote, more than a statement may have.
 */
export function tokensOf(query: QueryText): readonly Token[] {
  const { text } = query;
  if (text.length > limits.letters) throw mistakeAt(query, limits.letters, ['a statement has 1 MiB at most']);
  const nul = text.indexOf('\0');
  if (nul >= 0) throw mistakeAt(query, nul, [whyNot('\0')]);
  const tokens: Token[] = [];
  for (let at = endOf(blanks, text, 0); at < text.length;) {
    const token = tokenAt(query, at);
    tokens.push(token);
    if (tokens.length > limits.tokens) throw mistakeAt(query, at, [`a statement has ${limits.tokens} words at most`]);
    at = endOf(blanks, text, token.end);
  }
  return tokens;
}

/** An expression as it was given. */
export interface QueryText {
  readonly path: string;
  readonly text: string;
}

/**
 * What is wrong, what was probably meant in the place of the word there, or of a longer part, and what to try where nothing was.
 */
export type Words = readonly [
  message: string | Complaint,
  meant?: string | undefined,
  part?: Part | undefined,
  otherwise?: string | undefined,
];

/** A part of an expression, from a place to the one behind it. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

const word = /`[^`]*`|"[^"]*"|'[^']*'|[A-Za-z_]\w*|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|<>|[=<>!]=?|./su;

const wordAt = (text: string, at: number): string => word.exec(text.slice(at))?.[0] ?? '';

const corrected = (text: string, { start, end }: Part, correction: string): string =>
  `${text.slice(0, start)}${correction}${text.slice(end)}`;

const side = 30;

function excerpt(text: string, at: number): readonly string[] {
  const [before, after] = [Array.from(text.slice(0, at)), Array.from(text.slice(at))];
  const lead = (before.length > side ? '...' : '') + escapeForTerminal(before.slice(-side).join(''));
  const rest = escapeForTerminal(after.slice(0, side).join('')) + (after.length > side ? '...' : '');
  return [lead + rest, `${' '.repeat(displayWidth(lead))}^`];
}

function lineAt(text: string, at: number): { readonly line: string; readonly at: number; readonly words: string } {
  const above = text.slice(0, at).split('\n');
  const within = above.at(-1)?.length ?? 0;
  const line = text.slice(at - within).split('\n', 1)[0] ?? '';
  const words = text.includes('\n') ? `line ${above.length}, character ${within + 1}` : `character ${within + 1}`;
  return { line, at: within, words };
}

/** What is wrong, and what is said behind its place, such as the names that are known. */
export type Complaint = readonly [what: string, more: string];

/** A complaint as one text, with the place of what is wrong. */
export function complaintText(message: string | Complaint, place = ''): string {
  const [what, more] = typeof message === 'string' ? [message] : message;
  return more === undefined ? `${what}${place}` : `${what}${place}; ${more}`;
}

/** A mistake in an expression, with a caret under its place, and the expression that was probably meant. */
export function mistakeAt(
  { path, text }: QueryText,
  at: number,
  [message, correction, part, otherwise]: Words,
): RelctlError {
  const wrong = part ?? { start: at, end: at + wordAt(text, at).length };
  const { line, at: within, words } = lineAt(text, at);
  const excerptLine = excerpt(line, within);
  return new RelctlError('usage', complaintText(message, `, at ${words}`), {
    facts: { path },
    ...perhaps(text, correction === undefined ? undefined : corrected(text, wrong, correction), otherwise),
    excerpt: excerptLine,
  });
}
