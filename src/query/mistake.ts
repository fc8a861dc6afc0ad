import { RelctlError } from '../errors/relctl-error.js';

/** An expression as it was given. */
export interface Given {
  /** The flag or argument that it was given with. */
  readonly path: string;
  readonly text: string;
}

/** What is wrong, and what was probably meant in the place of the word there, or of a longer part. */
export type Words = readonly [message: string, meant?: string | undefined, part?: Part | undefined];

/** A part of an expression, from a place to the one behind it. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** A word of an expression: a text in quotes, a name, a number, a sign. */
const word = /`[^`]*`|"[^"]*"|'[^']*'|[A-Za-z_]\w*|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|<>|[=<>!]=?|./su;

/** The word that begins at a place of an expression. */
const wordAt = (text: string, at: number): string => word.exec(text.slice(at))?.[0] ?? '';

/** The expression with other letters in the place of a part. */
const corrected = (text: string, { start, end }: Part, meant: string): string =>
  `${text.slice(0, start)}${meant}${text.slice(end)}`;

/** Letters of an expression that are shown on each side of a place. */
const side = 30;

/** Letters that every terminal shows in one column: of European scripts, with quotes, dashes and currencies. */
const others = /[^\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u04ff\u2010-\u2027\u20a0-\u20bf]/gu;

/** A text as it stands over a caret. */
const shown = (text: string): string => text.replace(others, '?');

/** The part of a text around a place, and a line with a caret under it. */
function excerpt(text: string, at: number): readonly string[] {
  const from = Math.max(0, at - side);
  const before = shown(text.slice(from, at));
  const lead = from === 0 ? '' : '...';
  const rest = text.length > at + side ? '...' : '';
  return [`${lead}${before}${shown(text.slice(at, at + side))}${rest}`, `${' '.repeat(lead.length + before.length)}^`];
}

/** The line of a text that a place is in, the place within it, and both in words. */
function lineAt(text: string, at: number): { readonly line: string; readonly at: number; readonly words: string } {
  const above = text.slice(0, at).split('\n');
  const within = above.at(-1)?.length ?? 0;
  const line = text.slice(at - within).split('\n', 1)[0] ?? '';
  const words = text.includes('\n') ? `line ${above.length}, character ${within + 1}` : `character ${within + 1}`;
  return { line, at: within, words };
}

/** A mistake in an expression, with a caret under its place, and the expression that was probably meant. */
export function mistakeAt({ path, text }: Given, at: number, [message, meant, part]: Words): RelctlError {
  const wrong = part ?? { start: at, end: at + wordAt(text, at).length };
  const instead = meant === undefined ? undefined : { given: text, meant: corrected(text, wrong, meant) };
  const { line, at: within, words } = lineAt(text, at);
  const shownAt = excerpt(line, within);
  return new RelctlError('usage', `${message}, at ${words}`, { facts: { path }, instead, excerpt: shownAt });
}
