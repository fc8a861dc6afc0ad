import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openStaging } from '../../../src/lists/export/staging.js';
import { valuesOf } from '../../support/thrown.js';

const field = '00000000-0041-4000-8000-0000000000aB';

describe('A staging file', () => {
  it('gives records back as they were, in their order, from memory and from its file', () => {
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null));
    const record = fc.dictionary(fc.string({ minLength: 1 }), value, { noNullPrototype: true });
    fc.assert(
      fc.property(fc.array(record), fc.integer({ min: 1, max: 200 }), (records, most) => {
        const staging = openStaging(most);
        staging.add(records);
        // Twice: what is read is still there.
        assert.deepEqual([...staging.batches()].flat(), records);
        assert.deepEqual([...staging.batches()].flat(), records);
        staging.close();
      }),
      { numRuns: 100 },
    );
  });

  it('gives them in batches, however many there are', () => {
    const staging = openStaging(10_000);
    const records = Array.from({ length: 1234 }, (_, index) => ({ Id: String(index) }));
    staging.add(records);
    const batches = [...staging.batches()];
    assert.deepEqual(valuesOf(batches, 'length'), [500, 500, 234]);
    assert.deepEqual(batches.flat(), records);
    staging.close();
  });

  it('knows the fields, each once whatever the case of its letters', () => {
    const staging = openStaging();
    staging.add([
      { FieldValues: { Items: [{ Id: field, Value: 'x' }, { Value: 'no field' }] } },
      { FieldValues: { Items: [{ Id: field.toLowerCase(), Value: 'y' }] } },
      { FieldValues: null },
      {},
    ]);
    assert.deepEqual([...staging.fieldIds()], [field]);
    staging.close();
  });
});
