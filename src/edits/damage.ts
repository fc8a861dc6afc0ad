import { isDecimal } from '../lexical/values/decimal.js';
import { plainNumber, withoutLastZeros, type CellState } from './cell-state.js';

// A spreadsheet that takes a text for a number, a day, a time or a formula writes back what it took it for. The base of a row
// keeps a hash of what is left of a cell then, so that this is told from an edit.

/** Digits that spreadsheets keep of a number. */
const mostDigits = 15;

const number = /^([+-]?)(\d{1,400})(?:[.,](\d{0,400}))?(?:[eE]([+-]?\d{1,3}))?(\s?%)?$/;

/** As many digits as are kept, rounded half away from zero; `carried` is 1 where 99… became 100…. */
function roundedDigits(digits: string): { readonly rounded: string; readonly carried: number } {
  const kept = digits.slice(0, mostDigits);
  const rounded = (BigInt(kept) + ((digits[mostDigits] ?? '0') >= '5' ? 1n : 0n)).toString();
  return { rounded, carried: rounded.length - kept.length };
}

/** The number as a spreadsheet keeps it: 15 digits and the place of the point. */
function keptNumber(text: string): string | undefined {
  const found = number.exec(text.trim());
  if (found === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0', percent = ''] = found;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return `0${percent.trim()}`;
  const { rounded, carried } = roundedDigits(digits);
  const leading = whole.length + fraction.length - digits.length;
  const point = whole.length - leading + carried + Number(exponent);
  return `${sign.replace('+', '')}${withoutLastZeros(rounded)}e${point}${percent.trim()}`;
}

const months: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ['jan', 'gen', 'ene'],
    ['feb', 'fev', 'fév'],
    ['mar', 'mrt', 'maa', 'mär'],
    ['apr', 'avr', 'abr'],
    ['may', 'mei', 'mai', 'mag'],
    ['jun', 'giu'],
    ['jul', 'lug'],
    ['aug', 'ago', 'aoû'],
    ['sep', 'set'],
    ['oct', 'okt', 'ott'],
    ['nov'],
    ['dec', 'dez', 'déc', 'dic'],
  ].flatMap((words, at) => words.map((word) => [word, at + 1])),
);

const day = /^(?:\d{1,4}|\p{L}{3,9}\.?)(?:[-/., ]{0,2}(?:\d{1,4}|\p{L}{3,9}\.?)){1,2}$/u;

/** A year by its last two digits. */
const shortYear = (value: number): number => (value >= 1900 && value < 2100 ? value % 100 : value);

/** The numbers of a day, whatever their order and the form of the year. */
function dayNumbers(text: string): readonly number[] | undefined {
  if (!day.test(text)) return undefined;
  const words = text.match(/\d+|\p{L}+/gu) ?? [];
  const numbers = words.map((word) => (/\d/.test(word) ? Number(word) : months[word.slice(0, 3).toLowerCase()]));
  const known = numbers.filter((each) => each !== undefined);
  if (known.length !== words.length || words.length < 2) return undefined;
  return known.map(shortYear).toSorted((left, right) => left - right);
}

const clock = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?:\s?([ap])\.?m\.?)?$/i;

function clockTime(text: string): string | undefined {
  const [, hours, minutes = '', seconds = '0', half = ''] = clock.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return `${hour}:${Number(minutes)}:${Number(seconds)}`;
}

const truth = /^(?:true|false|waar|onwaar|wahr|falsch|vrai|faux)$/i;
const untrue = /^(?:false|onwaar|falsch|faux)$/i;

const isLong = (text: string): boolean => text.length > 1000;

/** The digits of a number whose point or comma may part thousands: 1.234 and 1,234 may become 1234. */
function partedDigits(text: string): string | undefined {
  const [, sign = '', whole, rest = ''] = /^([+-]?)0*([1-9]\d{0,2})((?:[.,]\d{3})+)$/.exec(text) ?? [];
  return whole === undefined ? undefined : `parted ${sign === '-' ? '-' : ''}${whole}${rest.replace(/[.,]/g, '')}`;
}

/** The forms of a text that was taken for something: of a day also without each of its numbers, as a year may be added. */
function takenForms(value: string): readonly string[] {
  const kept = keptNumber(value);
  if (kept !== undefined) return [`number ${kept}`];
  if (truth.test(value)) return [`truth ${String(!untrue.test(value))}`];
  const time = clockTime(value);
  if (time !== undefined) return [`time ${time}`];
  const numbers = dayNumbers(value);
  if (numbers === undefined) return [];
  const fewer = numbers.length < 3 ? [] : numbers.map((_, at) => numbers.toSpliced(at, 1));
  return [numbers, ...fewer].map((each) => `day ${each.join(' ')}`);
}

/** Left of a text that begins with =, and of one that begins with another sign of a formula. */
const [computed, mayBeComputed] = ['formula', 'sign'] as const;

/** Significant digits of a decimal. */
const digitsOf = (text: string): number => withoutLastZeros(plainNumber(text).replace(/^-?0*\.?0*|\./g, '')).length;

/** True for a number that every spreadsheet keeps: however it is spelled then, it is the same number. */
const isKept = ({ kind, text }: CellState): boolean =>
  kind === 'number' && isDecimal(text) && digitsOf(text) <= mostDigits;

/** What is left of the value of a cell when a spreadsheet takes it for something else; undefined where none does. */
export function leftOf(cell: CellState): string | undefined {
  const { kind, text } = cell;
  if (text === '' || isLong(text) || kind === 'guid' || kind === 'boolean') return undefined;
  const parted = partedDigits(text);
  if (parted !== undefined) return parted;
  if (isKept(cell)) return undefined;
  if (text.startsWith('=')) return computed;
  const [taken] = takenForms(text.trim());
  return taken ?? (/^[+\-@]/.test(text) ? mayBeComputed : undefined);
}

/** All that a cell of a file may be left of, each in the form of `leftOf`. */
export function formsLeft(text: string): readonly string[] {
  if (isLong(text)) return [];
  const value = text.trim();
  // What has more digits did not come from a spreadsheet.
  const taken = isDecimal(value) && digitsOf(value) > mostDigits ? [] : takenForms(value);
  const whole = /^([+-]?)0*(\d{1,30})(?:\.0*)?$/.exec(value);
  return [
    ...taken,
    ...(whole === null ? [] : [`parted ${whole[1] === '-' ? '-' : ''}${whole[2] ?? ''}`]),
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
