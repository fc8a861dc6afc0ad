import { mistakeAt, type Given } from '../query/mistake.js';

/** What a part of a statement is. A `text` stands in single quotes, a `quoted` name in double quotes, backticks or brackets. */
type TokenKind = 'word' | 'quoted' | 'text' | 'number' | 'parameter' | 'sign';

/** A part of a statement, with its place. Comments and spaces are none. */
export interface Token {
  readonly kind: TokenKind;
  /** Its letters as they stand there. */
  readonly text: string;
  /** What it names: without its quotes, or without the sign of a parameter. */
  readonly name: string;
  /** Places of its first letter and behind its last one. */
  readonly at: number;
  readonly end: number;
}

/** Letters and parts of a statement. */
const limits = { letters: 1024 * 1024, tokens: 100_000 };

/** What stands between tokens; comments apart. */
const blank = /[ \t\r\n\f]+|--[^\n]*/y;

type Forms = readonly (readonly [TokenKind, RegExp])[];

const wordForm = /[\p{L}_][\p{L}\p{M}\p{N}_$]*/uy;
const numberForm = /0[xX][0-9a-fA-F]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y;

const forms: Forms = [
  ['text', /[xX]?'[^']*(?:''[^']*)*'/y],
  ['quoted', /"[^"]*(?:""[^"]*)*"|`[^`]*(?:``[^`]*)*`|\[[^\]]*\]/y],
  ['word', wordForm],
  ['parameter', /[:@$][\p{L}_][\p{L}\p{N}_]*|\?\d*/uy],
  ['number', numberForm],
  ['sign', /->>?|\|\||<>|<=|>=|<<|>>|==|!=|\/(?!\*)|[-+*%&|~<>=(),.;]/y],
];

/** What begins something that has no end. */
const unended: Readonly<Record<string, string>> = {
  "'": 'a text',
  '"': 'a name',
  '`': 'a name',
  '[': 'a name',
  '/*': 'a comment',
};

const quoteLike = /[\u2018\u2019\u201a\u201c\u201d\u201e\u00b4]/;

const hex = (letter: string): string => `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Why no token begins with this. */
function whyNot(rest: string): string {
  const begun = unended[rest.slice(0, 2)] ?? unended[rest.slice(0, 1)];
  if (begun !== undefined) return `${begun} begins here and has no end`;
  const letter = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  if (quoteLike.test(letter)) return `${letter} is no quote in SQL: texts stand in ', names in "`;
  if (/\s/u.test(letter)) return `${hex(letter)} is no space in SQL`;
  return /[\p{C}\p{Z}]/u.test(letter) ? `SQL has no character ${hex(letter)}` : `SQL has no '${letter}'`;
}

function behind(form: RegExp, text: string, at: number): number {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : at;
}

/** Behind a comment; the place itself where none begins or it has no end. */
function behindComment(text: string, at: number): number {
  const end = text.startsWith('/*', at) ? text.indexOf('*/', at + 2) : -1;
  return end === -1 ? at : end + 2;
}

function behindBlanks(text: string, from: number): number {
  for (let at = from; ;) {
    const next = behindComment(text, behind(blank, text, at));
    if (next === at) return at;
    at = next;
  }
}

/** What a token names. */
function nameOf(kind: TokenKind, text: string): string {
  if (kind === 'parameter') return text.slice(1);
  if (kind === 'quoted') {
    const quote = text.at(-1) ?? '';
    return text.slice(1, -1).replaceAll(quote + quote, quote);
  }
  return kind === 'text' ? text.replace(/^[xX]?'|'$/g, '').replaceAll("''", "'") : text;
}

function tokenAt(given: Given, at: number): Token {
  for (const [kind, form] of forms) {
    const end = behind(form, given.text, at);
    if (end === at) continue;
    const text = given.text.slice(at, end);
    return { kind, text, name: nameOf(kind, text), at, end };
  }
  throw mistakeAt(given, at, [whyNot(given.text.slice(at, at + 2))]);
}

/**
 * The tokens of a statement of SQL. Throws `usage` with the place of what is none: a quote or comment without its end, a
 * character that only looks like a space or a quote, more than a statement may have.
 */
export function tokensOf(given: Given): readonly Token[] {
  const { text } = given;
  if (text.length > limits.letters) throw mistakeAt(given, limits.letters, ['a statement has 1 MiB at most']);
  const nul = text.indexOf('\0');
  if (nul >= 0) throw mistakeAt(given, nul, [whyNot('\0')]);
  const tokens: Token[] = [];
  for (let at = behindBlanks(text, 0); at < text.length;) {
    const token = tokenAt(given, at);
    tokens.push(token);
    if (tokens.length > limits.tokens) throw mistakeAt(given, at, [`a statement has ${limits.tokens} words at most`]);
    at = behindBlanks(text, token.end);
  }
  return tokens;
}
