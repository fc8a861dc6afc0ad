const four = '[0-9A-Fa-f]'.repeat(4);
// Written out, because counting makes it half as fast, and every record has GUIDs.
const form = new RegExp(`^${four}${four}-${four}-${four}-${four}-${four}${four}${four}$`);

/** The GUID that services give where none is set. */
export const emptyGuid = '00000000-0000-0000-0000-000000000000';

/** True for 8-4-4-4-12 hexadecimal digits, in either case: the only form that goes out (interface document, rule 3). */
export function isGuid(text: string): boolean {
  return form.test(text);
}

/** True when two GUIDs name the same thing; case is not looked at. */
export function sameGuid(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
