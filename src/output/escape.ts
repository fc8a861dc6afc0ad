const risky =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

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
  return text.replace(risky, glyph);
}

/** The same for text of ours with lines of its own: line breaks stay. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeForTerminal).join('\n');
}
