import { compareDecimals, isDecimal } from '../lexical/values/decimal.js';
import { isGuid, sameGuid } from '../lexical/values/guid.js';
import { compareDateTimes } from '../lexical/time/datetime.js';
import { isDateField, type FieldDescription } from '../soap/codec/field-rules.js';

const numbers: ReadonlySet<string> = new Set(['Int', 'SmallInt', 'BigInt', 'Decimal', 'Currency', 'Float']);

const bitOf = (text: string): boolean | undefined =>
  /^(?:true|1)$/i.test(text) ? true : /^(?:false|0)$/i.test(text) ? false : undefined;

function isSameOfType(description: FieldDescription, left: string, right: string): boolean {
  if (isDateField(description)) return compareDateTimes(left, right) === 0;
  if (description.Type === 'Bit') return bitOf(left) !== undefined && bitOf(left) === bitOf(right);
  const isNumber = numbers.has(description.Type ?? '') && isDecimal(left) && isDecimal(right);
  return isNumber && compareDecimals(left, right) === 0;
}

/**
 * True for two texts that are the same value of a field: to the letter, or by its type, as 12.5 is 12.50 in a field of decimals.
 * @param description undefined where it was not looked up: then only GUIDs may be spelled otherwise
 */
export function isSameFieldValue(description: FieldDescription | undefined, left: string, right: string): boolean {
  if (left === right) return true;
  if (isGuid(left) && isGuid(right)) return sameGuid(left, right);
  return description !== undefined && isSameOfType(description, left, right);
}
