import { RelctlError, perhaps } from '../../core/errors/relctl-error.js';
import { escapeForTerminal } from '../escape.js';
import { displayWidth } from '../layout/width.js';

/** An expression as it was given. */
export interface QueryText {
  readonly path: string;
  readonly text: string;
}

/**
 * What is wrong, what was probably meant in the place of the word there, or of a longer part, and what to try where nothing was.
 */
export type Words = readonly [
  message: string,
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

const corrected = (text: string, { start, end }: Part, meant: string): string =>
  `${text.slice(0, start)}${meant}${text.slice(end)}`;

const side = 30;

function excerpt(text: string, at: number): readonly string[] {
  const [before, behind] = [Array.from(text.slice(0, at)), Array.from(text.slice(at))];
  const lead = (before.length > side ? '...' : '') + escapeForTerminal(before.slice(-side).join(''));
  const rest = escapeForTerminal(behind.slice(0, side).join('')) + (behind.length > side ? '...' : '');
  return [lead + rest, `${' '.repeat(displayWidth(lead))}^`];
}

function lineAt(text: string, at: number): { readonly line: string; readonly at: number; readonly words: string } {
  const above = text.slice(0, at).split('\n');
  const within = above.at(-1)?.length ?? 0;
  const line = text.slice(at - within).split('\n', 1)[0] ?? '';
  const words = text.includes('\n') ? `line ${above.length}, character ${within + 1}` : `character ${within + 1}`;
  return { line, at: within, words };
}

/** A mistake in an expression, with a caret under its place, and the expression that was probably meant. */
export function mistakeAt(
  { path, text }: QueryText,
  at: number,
  [message, meant, part, otherwise]: Words,
): RelctlError {
  const wrong = part ?? { start: at, end: at + wordAt(text, at).length };
  const { line, at: within, words } = lineAt(text, at);
  const shownAt = excerpt(line, within);
  return new RelctlError('usage', `${message}, at ${words}`, {
    facts: { path },
    ...perhaps(text, meant === undefined ? undefined : corrected(text, wrong, meant), otherwise),
    excerpt: shownAt,
  });
}
