const four = '[0-9A-Fa-f]'.repeat(4);
// Written out, because counting makes it half as fast, and every record has GUIDs.
const form = new RegExp(`^${four}${four}-${four}-${four}-${four}-${four}${four}${four}$`);

/** The GUID that services give where none is set. */
export const emptyGuid = '00000000-0000-0000-0000-000000000000';

/** True for 8-4-4-4-12 hexadecimal digits, in either case: the only form that goes out (interface document, rule 3). */
export function isGuid(text: string): boolean {
  return form.test(text);
}

/** The GUID of 32 hexadecimal digits. */
export const guidOfDigits = (digits: string): string =>
  `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;

/** True when two GUIDs name the same thing; case is not looked at. */
export function sameGuid(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** A longer text holds no GUID alone: the longest form has 68 characters, and a few spaces. */
const mostCharacters = 128;

/** What stands at the ends of a copied text: spaces, and signs without a width, which web pages put there. */
const ends = /^[\s\u200b-\u200d\u2060]+|[\s\u200b-\u200d\u2060]+$/g;

/** What GUIDs stand in, from the outside to the inside: a list, quotes, a URN, braces or parentheses. */
const wrappings: readonly RegExp[] = [
  /^(.*)[,;]$/s,
  /^["'`\u2018-\u201f](.*)["'`\u2018-\u201f]$/s,
  /^(?:urn:)?uuid:(.*)$/is,
  /^(?:\{(.*)\}|\((.*)\))$/s,
];

const typographicDashes = /[\u2010-\u2015\u2212]/g;

/** What .NET writes for "X": 0x6f9619ff,0x8b86,0xd011,{0xb4,0x2d,0x00,0xc0,0x4f,0xc9,0x64,0xff}. */
const numbers = /^0x[\da-f]{8}(?:,\s*0x[\da-f]{4}){2},\s*\{(?:\s*0x[\da-f]{2}\s*,?){8}\}$/i;

/**
 * The GUID of a text as people paste it, in the form that services write: 8-4-4-4-12 digits in lower case. Taken are either
 * case, no dashes, braces, parentheses, quotes, `urn:uuid:`, one comma or semicolon behind it, and spaces around; and the
 * numbers of .NET's `X`. Undefined for anything else.
 */
export function pastedGuid(text: string): string | undefined {
  if (form.test(text)) return text.toLowerCase();
  if (text.length > mostCharacters) return undefined;
  let rest = text.replace(ends, '');
  for (const wrapping of wrappings) {
    const [, inner, other] = wrapping.exec(rest) ?? [];
    rest = (inner ?? other ?? rest).replace(ends, '');
  }
  const plain = rest.replace(typographicDashes, '-').toLowerCase();
  if (form.test(plain)) return plain;
  const digits = numbers.test(plain) ? plain.replace(/0x|[^\da-f]/g, '') : plain;
  return /^[\da-f]{32}$/.test(digits) ? guidOfDigits(digits) : undefined;
}

/** True for a text that is no GUID, and would be one with a few other signs. */
export const isNearGuid = (text: string): boolean =>
  text.length <= mostCharacters &&
  /^[^\p{L}\p{N}]*[\da-f-]{20,60}[^\p{L}\p{N}]*$/iu.test(text) &&
  pastedGuid(text) === undefined;

/** What is wrong with a text that is no GUID: how many digits it has, where it would be one with others; else empty. */
export function guidComplaint(text: string): string {
  const count = text.replace(/[^\da-f]/gi, '').length;
  return isNearGuid(text) && count !== 32 ? `: it has ${count} digits, and a GUID has 32` : '';
}
