import { PvProductData_V2 } from '../../contract/records/product.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { RecordValue, Value } from '../../plain/value.js';
import { differences, type Change } from '../../records/differences.js';

/** The fields among these names whose value differs. */
export const changesBetween = (names: readonly string[], from: RecordValue, to: RecordValue): readonly Change[] =>
  differences({ fields: PvProductData_V2.fields, names }, from, to);

/** The names that any of these records has. */
export const namesOf = (...records: readonly RecordValue[]): readonly string[] => [
  ...new Set(records.flatMap(Object.keys)),
];

/** The product as it is sent back, with these changes. Throws `bad-answer` when it has fields that would get lost on the way. */
export function whole(product: RecordValue, changes: RecordValue): RecordValue {
  const unknown = Object.keys(product).filter((name) => !Object.hasOwn(PvProductData_V2.fields, name));
  if (unknown.length > 0) {
    throw new RelctlError(
      'bad-answer',
      `the product has fields that relctl does not know (${unknown.join(', ')}): writing it back would drop them; nothing was sent`,
      { facts: { code: 'unknown-field' } },
    );
  }
  // A nil field of the answer may be left out of the request: it means the same.
  const sent: Record<string, Value> = {};
  for (const [name, value] of Object.entries({ ...product, ...changes })) if (value !== null) sent[name] = value;
  return sent;
}
