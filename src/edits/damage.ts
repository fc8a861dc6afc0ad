import { withoutLastZeros } from '../lexical/ends.js';
import { isDecimal } from '../lexical/values/decimal.js';
import { plainNumber, type CellState } from './cell-state.js';
import { groupedForms, mostDigits, plainForms, shorterDayForms, spelledForms, takenForms } from './taken.js';

// A spreadsheet that takes a text for a number, a day, a time or a formula writes back what it took it for. The base of a row
// keeps a hash of what is left of a cell then, so that this is told from an edit.

const isLong = (text: string): boolean => text.length > 1000;

/** Left of a text that begins with =, and of one that begins with another sign of a formula. */
const [computed, mayBeComputed] = ['formula', 'sign'] as const;

/** Significant digits of a decimal. */
const digitsOf = (text: string): number => withoutLastZeros(plainNumber(text).replace(/^-?0*\.?0*|\./g, '')).length;

/** True for a number that every spreadsheet keeps: however it is spelled then, it is the same number. */
const isKept = ({ kind, text }: CellState): boolean =>
  kind === 'number' && isDecimal(text) && digitsOf(text) <= mostDigits;

/** All that may be left of the value of a cell when a spreadsheet takes it for something else. */
export function leftOf(cell: CellState): readonly string[] {
  const { kind, text } = cell;
  if (text === '' || isLong(text) || kind === 'guid' || kind === 'boolean') return [];
  if (isKept(cell)) return groupedForms(text);
  if (text.startsWith('=')) return [computed];
  const taken = takenForms(text.trim());
  return taken.length === 0 && /^[+\-@]/.test(text) ? [mayBeComputed] : taken;
}

/** All that a cell of a file may be left of, each in a form of `leftOf`. */
export function formsLeft(text: string): readonly string[] {
  if (isLong(text)) return [];
  const value = text.trim();
  const isNumber = isDecimal(value);
  // What has more digits did not come from a spreadsheet, which parts no thousands of its own accord either.
  const taken = isNumber && digitsOf(value) > mostDigits ? [] : isNumber ? plainForms(value) : spelledForms(value);
  return [
    ...taken,
    ...shorterDayForms(value),
    ...(text.startsWith('=') ? [] : [computed]),
    ...(/^(?:-?\d|#)/.test(text) ? [mayBeComputed] : []),
  ];
}

/** The characters of the bytes 80 to 9F in Windows-1252; those above are as in Unicode. */
const windows =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** The byte of a character in Windows-1252; undefined for one that it does not have. */
function byteOf(character: string): number | undefined {
  const at = windows.indexOf(character);
  if (at !== -1) return 128 + at;
  const code = character.charCodeAt(0);
  return code < 256 ? code : undefined;
}

/** The text of which a program that took UTF-8 for Windows-1252 made this one; undefined where none did. */
export function textBehind(text: string): string | undefined {
  // Each character above 7 bits begins with one of these in UTF-8.
  if (isLong(text) || !/[\u00c2-\u00f4]/.test(text)) return undefined;
  const bytes: number[] = [];
  for (const character of text) {
    const byte = byteOf(character);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}
