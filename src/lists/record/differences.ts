import type { Fields, Type } from '../../contract/build.js';
import { scalarOf } from '../../contract/walk.js';
import { compareDecimals, isDecimal, sameGuid } from '../../core/text/scalars.js';
import type { ChangedValue, RecordValue, Value } from '../../core/values/value.js';

/** A difference that a write makes. */
export interface Change extends ChangedValue {
  /** The state before cannot be read, although that of other members was. */
  readonly isUnread?: true;
}

function isSameText(type: Type | undefined, left: string, right: string): boolean {
  if (scalarOf(type) === 'guid') return sameGuid(left, right);
  const isNumber = scalarOf(type) === 'decimal' && isDecimal(left) && isDecimal(right);
  return isNumber ? compareDecimals(left, right) === 0 : left === right;
}

/** True for two equal values of a type: 12.5 equals 12.50, an Id is the same in any case of letters, and nil equals absent. */
function isSame(type: Type | undefined, left: Value | undefined, right: Value | undefined): boolean {
  if (left === right) return true;
  if (typeof left === 'string' && typeof right === 'string') return isSameText(type, left, right);
  return JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
}

/**
 * The fields among these names whose value differs.
 * @param fields the fields of both records, by the contract; one that it does not have is compared as it stands
 */
export function differences(
  { fields, names }: { readonly fields: Fields; readonly names: readonly string[] },
  from: RecordValue,
  to: RecordValue,
): readonly Change[] {
  return names
    .filter((name) => !isSame(fields[name]?.type, from[name], to[name]))
    .map((name) => ({ name, from: from[name], to: to[name] }));
}
