import { isPlain } from './layout/width.js';

// Controls, format characters (bidirectional, zero-width, tags), line and paragraph separators, lone surrogates; not the
// few format characters that are drawn, such as the Arabic number sign.
// Made when it is first needed: what V8 makes of the classes takes half a millisecond, and most text is plain.
const unseen = (): RegExp =>
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u{e0000}-\u{e007f}](?<![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])/gu;

function glyph(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x0a) return '⏎';
  if (code === 0x09) return '→';
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '␡' : `\\u{${code.toString(16)}}`;
}

/**
 * The one escaper between data and a terminal: controls, escapes, C1, bidirectional and invisible characters become
 * glyphs that do nothing. Our own colours are added behind it. Applied to everything meant for people, also in a pipe.
 */
export function escapeForTerminal(text: string): string {
  return isPlain(text) ? text : text.replace(unseen(), glyph);
}

/** The same for text of ours with lines of its own: line breaks stay. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeForTerminal).join('\n');
}

/** The same for the output of a format for programs that a terminal shows: its tabs and ends of lines stay, LF or CRLF. */
export function escapeLayout(text: string): string {
  return text.replace(unseen(), (character, at: number) => {
    const isLayout = character === '\n' || character === '\t' || (character === '\r' && text[at + 1] === '\n');
    return isLayout ? character : glyph(character);
  });
}

/**
 * Replaces what a terminal would act upon or not show in text that JSON.stringify made, where C0 controls and lone
 * surrogates are escaped already and a line break is layout.
 * @param escape the escape sequence of a character in the notation at hand
 */
export function replaceUnseen(json: string, escape: (character: string) => string): string {
  return json.replace(unseen(), (character) => (character < ' ' ? character : escape(character)));
}

const unitEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON text of the same value in which nothing acts on a terminal or hides from the eye. */
export function visibleJson(json: string): string {
  return replaceUnseen(json, (character) => character.split('').map(unitEscape).join(''));
}
