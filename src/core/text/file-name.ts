import { withoutEnds } from './text.js';

// Separators of any system, what Windows forbids, and what one cannot see.
const forbidden = /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(?:\.|$)/i;
const mostBytes = 200;

const isSpaceOrDot = (unit: number): boolean => unit === 0x2e || /\s/.test(String.fromCharCode(unit));

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function shortened(name: string): string {
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : '';
  const room = mostBytes - bytesOf(ending);
  let stem = '';
  let bytes = 0;
  for (const character of name.slice(0, name.length - ending.length)) {
    bytes += bytesOf(character);
    if (bytes > room) return stem.trimEnd() + ending;
    stem += character;
  }
  return stem + ending;
}

/**
 * A name that somebody else chose, as the name of a file in a folder of ours: its last part only, without characters that
 * a file system or a terminal takes for something else, never hidden, never a device, at most 200 bytes of UTF-8.
 */
export function safeFileName(name: string, fallback: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const clean = withoutEnds(last.replace(forbidden, '_'), isSpaceOrDot);
  if (clean === '' || /^_+$/.test(clean)) return fallback;
  return shortened(devices.test(clean) ? `_${clean}` : clean);
}
