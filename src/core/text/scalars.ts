const yesNo: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, y: true, on: true, '1': true },
  ...{ false: false, no: false, n: false, off: false, '0': false },
};

/** What `readYesNo` reads, for a message. */
export const yesNoWords = 'true or false, yes or no, y or n, on or off, 1 or 0';

/** True or false as people write it, in any case of letters: also yes and no, y and n, on and off, 1 and 0; undefined for anything else. */
export function readYesNo(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  return Object.hasOwn(yesNo, lower) ? yesNo[lower] : undefined;
}

/** The boolean that a text stands for in XML Schema (`true`, `false`, `1`, `0`), or undefined. */
export function parseBoolean(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

const integerForm = /^[+-]?\d+$/;

/** The least and the most value of each integer type. */
export const integerBounds = {
  short: { least: -32768, most: 32767 },
  int: { least: -2147483648, most: 2147483647 },
  long: { least: -9223372036854775808n, most: 9223372036854775807n },
} as const;

/** The integer types of the service. */
export type IntegerName = keyof typeof integerBounds;

/** True when the text is an integer that fits the type: digits with an optional sign, no exponent, no separators. */
export function isInteger(text: string, name: IntegerName): boolean {
  // Nine digits fit every type but the short one.
  if (name !== 'short' && text.length <= 9) return integerForm.test(text);
  // No integer is longer, even with leading zeros; on millions of digits the expression would run out of stack.
  if (text.length > 64 || !integerForm.test(text)) return false;
  const value = BigInt(text.replace(/^\+/, ''));
  const { least, most } = integerBounds[name];
  return value >= least && value <= most;
}

const decimalForm = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** True for an XML Schema decimal: digits with an optional sign and point; no exponent, no separators. */
export function isDecimal(text: string): boolean {
  return decimalForm.test(text);
}

/** A decimal as a whole number of its smallest unit. */
export interface Scaled {
  readonly units: bigint;
  /** Digits behind the point. */
  readonly scale: number;
}

function scaledOf(text: string): Scaled {
  const isNegative = text.startsWith('-');
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  const units = BigInt(`${whole}${fraction}` || '0');
  return { units: isNegative ? -units : units, scale: fraction.length };
}

/** The text of a decimal, with all digits of its scale. */
export function writeDecimal({ units, scale }: Scaled): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = scale === 0 ? '' : `.${digits.slice(-scale)}`;
  return `${units < 0n ? '-' : ''}${whole}${fraction}`;
}

/** Exact product of two decimals; the scales add up. */
export function multiplyDecimals(left: string, right: string): string {
  const [a, b] = [scaledOf(left), scaledOf(right)];
  return writeDecimal({ units: a.units * b.units, scale: a.scale + b.scale });
}

/** Negative, zero or positive as left is less than, equal to or greater than right; 1.0 and 1.00 are equal. */
export function compareDecimals(left: string, right: string): number {
  const [one, other] = [scaledOf(left), scaledOf(right)];
  const scale = Math.max(one.scale, other.scale);
  const lift = (value: Scaled): bigint => value.units * 10n ** BigInt(scale - value.scale);
  const [a, b] = [lift(one), lift(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

const four = '[0-9A-Fa-f]'.repeat(4);
// Written out, because counting makes it half as fast, and every record has GUIDs.
const guidForm = new RegExp(`^${four}${four}-${four}-${four}-${four}-${four}${four}${four}$`);

/** The GUID that services give where none is set. */
export const emptyGuid = '00000000-0000-0000-0000-000000000000';

/** True for 8-4-4-4-12 hexadecimal digits, in either case: the only guidForm that goes out (interface document, rule 3). */
export function isGuid(text: string): boolean {
  return guidForm.test(text);
}

/** The GUID of 32 hexadecimal digits. */
export const guidOfDigits = (digits: string): string =>
  `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;

/** True when two GUIDs name the same thing; case is not looked at. */
export function sameGuid(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** A longer text holds no GUID alone: the longest guidForm has 68 characters, and a few spaces. */
const mostCharacters = 128;

/** What stands at the guidEnds of a copied text: spaces, and signs without a width, which web pages put there. */
const guidEnds = /^[\s\u200b-\u200d\u2060]+|[\s\u200b-\u200d\u2060]+$/g;

/** What GUIDs stand in, from the outside to the inside: a list, quotes, a URN, braces or parentheses. */
const wrappings: readonly RegExp[] = [
  /^(.*)[,;]$/s,
  /^["'`\u2018-\u201f](.*)["'`\u2018-\u201f]$/s,
  /^(?:urn:)?uuid:(.*)$/is,
  /^(?:\{(.*)\}|\((.*)\))$/s,
];

const typographicDashes = /[\u2010-\u2015\u2212]/g;

/** What .NET writes for "X": 0x6f9619ff,0x8b86,0xd011,{0xb4,0x2d,0x00,0xc0,0x4f,0xc9,0x64,0xff}. */
const dotNetForm = /^0x[\da-f]{8}(?:,\s*0x[\da-f]{4}){2},\s*\{(?:\s*0x[\da-f]{2}\s*,?){8}\}$/i;

/**
 * The GUID of a text as people paste it, in the guidForm that services write: 8-4-4-4-12 digits in lower case. Taken are either
 * case, no dashes, braces, parentheses, quotes, `urn:uuid:`, one comma or semicolon behind it, and spaces around; and the
 * dotNetForm of .NET's `X`. Undefined for anything else.
 */
export function pastedGuid(text: string): string | undefined {
  if (guidForm.test(text)) return text.toLowerCase();
  if (text.length > mostCharacters) return undefined;
  let rest = text.replace(guidEnds, '');
  for (const wrapping of wrappings) {
    const [, inner, other] = wrapping.exec(rest) ?? [];
    rest = (inner ?? other ?? rest).replace(guidEnds, '');
  }
  const plain = rest.replace(typographicDashes, '-').toLowerCase();
  if (guidForm.test(plain)) return plain;
  const digits = dotNetForm.test(plain) ? plain.replace(/0x|[^\da-f]/g, '') : plain;
  return /^[\da-f]{32}$/.test(digits) ? guidOfDigits(digits) : undefined;
}

/** True for a text that is not a GUID, and would be one with a few other signs. */
export const isNearGuid = (text: string): boolean =>
  text.length <= mostCharacters &&
  /^[^\p{L}\p{N}]*[\da-f-]{20,60}[^\p{L}\p{N}]*$/iu.test(text) &&
  pastedGuid(text) === undefined;

/** What is wrong with a text that is not a GUID: how many digits it has, where it would be one with others; else empty. */
export function guidComplaint(text: string): string {
  const count = text.replace(/[^\da-f]/gi, '').length;
  return isNearGuid(text) && count !== 32 ? `: it has ${count} digits, and a GUID has 32` : '';
}
