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
