import type { Value, RecordValue } from '../../../src/core/values/value.js';
import fc from 'fast-check';
import { anyText } from './hostile.js';

const anyKey = fc.oneof(fc.constantFrom('Id', 'Name', 'y', 'no', '<<', '=', '~', '', '-', 'a: b', '#', '1'), anyText);

const { plain } = fc.letrec<{ plain: Value }>((tie) => ({
  plain: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    anyText,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('plain'), { maxLength: 3 }),
    fc.dictionary(anyKey, tie('plain'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** Any record, nested up to three deep. */
export const anyRecord: fc.Arbitrary<RecordValue> = fc.dictionary(anyKey, plain, { maxKeys: 4, noNullPrototype: true });

/** Records as they come from pages. */
export const anyBatches = fc.array(fc.array(anyRecord, { maxLength: 3 }), { maxLength: 3 });
