import { withoutLastZeros } from '../../../core/text/text.js';
import { dayMs, dayZero, firstDay } from '../../../core/text/spreadsheet.js';
import type { Cell } from '../input.js';
import { badAnswer } from '../../../core/errors/relctl-error.js';
import { attributeOf, readWholePart, type PartSource } from './zip.js';

/** How a number is shown, where that is not the number itself. */
export type NumberLook =
  | { readonly kind: 'number' }
  | {
      readonly kind: 'date';
      /** The day is shown, and not a time alone. */
      readonly hasDay: boolean;
      /** The zone that its format writes behind it, as this program's formats do; else empty. */
      readonly zone: string;
      /** Digits behind the second. */
      readonly digits: number;
    }
  | { readonly kind: 'percent' }
  /** With zeros before it, up to so many digits. */
  | { readonly kind: 'zeros'; readonly digits: number };

const plain: NumberLook = { kind: 'number' };

const isKnownDay = (id: number): boolean => (id >= 14 && id <= 16) || id === 22;

/** Formats that programs know by their numbers (ECMA-376, part 1, 18.8.30): days and times. */
const isKnownDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** What a format code holds besides its signs: quoted texts, escaped characters, colours and conditions. */
const beside = /"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

function dateLook(code: string, signs: string): NumberLook {
  // LibreOffice writes "Z" as \Z.
  const [, quoted, zone = quoted ?? ''] = /(?:"(Z|[+-]\d\d:\d\d)"|\\(Z))(?=;|$)/.exec(code) ?? [];
  const [, { length: digits } = ''] = /s\.(0+)/i.exec(signs) ?? [];
  return { kind: 'date', hasDay: /d/i.test(signs), zone, digits };
}

function lookOfCode(code: string): NumberLook {
  const [signs = ''] = code.replace(beside, '').split(';');
  if (signs.includes('%')) return { kind: 'percent' };
  if (/^general$/i.test(signs.trim())) return plain;
  if (/[ymdhs]/i.test(signs)) return dateLook(code, signs);
  const digits = /^[^0.]*(0{2,})/.exec(signs.replaceAll(/[#,]/g, ''))?.[1]?.length;
  return digits === undefined ? plain : { kind: 'zeros', digits };
}

function lookOf(id: number, codes: ReadonlyMap<number, NumberLook>): NumberLook {
  const own = codes.get(id);
  if (own !== undefined) return own;
  if (id === 9 || id === 10) return { kind: 'percent' };
  return isKnownDate(id) ? { kind: 'date', hasDay: isKnownDay(id), zone: '', digits: 0 } : plain;
}

/** Number formats of a workbook, and styles of its cells: spreadsheets keep some 64,000. */
const mostStyles = 250_000;

function checkRoom(count: number): void {
  if (count >= mostStyles) throw badAnswer('limit', `it has more than ${mostStyles} styles, or formats of numbers`);
}

/** How numbers are shown, by the style of their cell. Throws `usage`. */
export function readStyles(source: PartSource, path: string | undefined): readonly NumberLook[] {
  if (path === undefined) return [];
  const codes = new Map<number, NumberLook>();
  const styles: number[] = [];
  let isCell = false;
  readWholePart(source, path, {
    open({ local }, attributes) {
      if (local === 'cellXfs') isCell = true;
      if (local !== 'numFmt' && !(local === 'xf' && isCell)) return;
      checkRoom(Math.max(codes.size, styles.length));
      const id = Number(attributeOf(attributes, 'numFmtId') ?? 0);
      if (local === 'numFmt') codes.set(id, lookOfCode(attributeOf(attributes, 'formatCode') ?? ''));
      else styles.push(id);
    },
    text: () => undefined,
    close({ local }) {
      if (local === 'cellXfs') isCell = false;
    },
  });
  return styles.map((id) => lookOf(id, codes));
}

/** Digits that spreadsheets keep of what is typed, and that some write of what they keep. */
const [storedDigits, writtenDigits] = [15, 17];

const form = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** A number as its digits and the place of its point behind the first of them. */
interface Parts {
  readonly sign: string;
  readonly digits: string;
  /** Digits before the point; may be less than 0, or more than there are. */
  readonly point: number;
}

function partsOf(text: string): (Parts & { readonly hasExponent: boolean }) | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent] = match;
  return {
    sign: sign === '-' ? '-' : '',
    digits: whole + fraction,
    point: whole.length + Number(exponent ?? 0),
    hasExponent: exponent !== undefined,
  };
}

function plainText({ sign, digits, point }: Parts): string {
  const padded = point > digits.length ? digits.padEnd(point, '0') : digits;
  const whole = point <= 0 ? '0' : padded.slice(0, point);
  const fraction = point <= 0 ? '0'.repeat(-point) + digits : padded.slice(point);
  return `${sign}${whole.replace(/^0+(?=\d)/, '')}${fraction === '' ? '' : `.${fraction}`}`;
}

const significant = (digits: string): string => withoutLastZeros(digits.replace(/^0+/, ''));

function rounded({ sign, digits, point }: Parts, most: number): Parts {
  const zeros = /^0*/.exec(digits)?.[0].length ?? 0;
  const significant = BigInt(digits.slice(zeros, zeros + most)) + ((digits[zeros + most] ?? '0') >= '5' ? 1n : 0n);
  const text = significant.toString();
  const exponent = point - zeros + (text.length - most);
  const short = withoutLastZeros(text);
  return { sign, digits: short === '' ? '0' : short, point: exponent };
}

/** A number of a cell, and whether it is what was typed rather than what is written of it. */
export interface CellNumber {
  readonly cell: Cell;
  readonly isRounded: boolean;
}

const wrong = (text: string, what: string): CellNumber => ({ cell: { text, wrong: what }, isRounded: false });

const wholeDigits = (text: string): number => text.replace(/^-/, '').split('.')[0]?.length ?? 0;

function cellOf(text: string): Cell {
  // A number without a point is the same in all countries.
  if (wholeDigits(text) <= storedDigits) return text.includes('.') ? { text } : text;
  const what = `${text} has more digits than the ${storedDigits} that a spreadsheet stores: format the cell as text, and type it again`;
  return { text, wrong: what, isWhole: true, rightFor: 'number' };
}

/**
 * The number of a cell by the text of it in the file. Excel keeps 15 digits of what is typed, and writes 17 of what it keeps:
 * 1.1 as 1.1000000000000001. Such a number is the one of 15 digits where both are the same to Excel; where they are not,
 * nobody knows which is meant.
 */
function numberOf(text: string): CellNumber {
  const parts = partsOf(text);
  if (parts === undefined) return wrong(text, `'${text}' is no number`);
  const { length } = significant(parts.digits);
  if (length <= storedDigits || length > writtenDigits)
    return { cell: cellOf(parts.hasExponent ? plainText(parts) : text), isRounded: false };
  const typed = plainText(rounded(parts, storedDigits));
  if (Number(typed) === Number(text)) return { cell: cellOf(typed), isRounded: true };
  return wrong(
    text,
    `${text} has more digits than a spreadsheet stores: round it with ROUND, or format the cell as text and type the number again`,
  );
}

const lastMs = Date.UTC(10_000, 0);

function timeOf(
  text: string,
  { zone, digits }: NumberLook & { kind: 'date' },
  startsIn1904: boolean,
): string | undefined {
  const serial = partsOf(text) === undefined ? Number.NaN : Number(text) + (startsIn1904 ? 1462 : 0);
  const ms = dayZero + Math.round(serial * dayMs);
  if (!(serial >= firstDay && ms < lastMs)) return undefined;
  const [time = '', fraction = ''] = new Date(ms).toISOString().slice(0, -1).split('.');
  const decimals = fraction.slice(0, Math.max(digits, withoutLastZeros(fraction).length));
  return `${time}${decimals === '' ? '' : `.${decimals}`}${zone}`;
}

/**
 * The number of a cell, unless it is shown as something else.
 * @param startsIn1904 the days of the workbook are counted from 1904
 */
export function readNumber(text: string, look: NumberLook | undefined, startsIn1904: boolean): CellNumber {
  switch (look?.kind) {
    case 'date': {
      const what = `is a date or a time, stored as the number ${text}: format the cell as text, such as 2026-01-31`;
      const time = look.hasDay ? timeOf(text, look, startsIn1904) : undefined;
      if (time === undefined) return wrong(text, what);
      return { cell: { text: time, wrong: what, isWhole: true, rightFor: 'time' }, isRounded: false };
    }
    case 'percent':
      return wrong(text, `is shown as a percentage, but stored as ${text}: format the cell as a plain number or text`);
    case 'zeros': {
      if (wholeDigits(text) >= look.digits) return numberOf(text);
      return wrong(text, `is shown with zeros before ${text} that the file does not store: format the cell as text`);
    }
    case 'number':
    case undefined:
      return numberOf(text);
  }
}
