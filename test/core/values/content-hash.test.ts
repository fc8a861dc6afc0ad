import type { RecordValue, Value } from '../../../src/core/values/value.js';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { contentsOf as hashContents } from '../../../src/client/rows/row.js';

const hashOf = (record: RecordValue): string => hashContents([record]).join(' ');

const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { weight: 6, arbitrary: fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null)) },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.string({ minLength: 1 }), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    },
  ),
})).value;
const record = fc.dictionary(fc.constantFrom('Id', 'Name', 'Note', 'Items'), value, { noNullPrototype: true });

describe('The hash of what a record holds', () => {
  it('is the same for the same content, and another for other content', () => {
    fc.assert(
      fc.property(record, record, (left, right) => {
        assert.equal(hashOf(left), hashOf(structuredClone(left)));
        const isSameOrder = Object.keys(left).join() === Object.keys(right).join();
        if (isSameOrder) assert.equal(hashOf(left) === hashOf(right), JSON.stringify(left) === JSON.stringify(right));
      }),
      { numRuns: 2000 },
    );
  });

  it('tells nil, absent, empty, text, numbers and truth apart, and which member holds what', () => {
    const records: readonly RecordValue[] = [
      {},
      { Name: null },
      { Name: '' },
      { Name: '1' },
      { Name: 1 },
      { Name: true },
      { Name: false },
      { Name: [] },
      { Name: {} },
      { Name: [null] },
      { Name: [''] },
      { Note: '' },
      { Name: 'a', Note: 'b' },
      { Name: 'ab' },
      { Name: { Note: 'a' } },
      { Name: ['a', 'b'] },
      { Name: ['ab'] },
    ];
    assert.equal(new Set(records.map(hashOf)).size, records.length);
  });

  it('sees one character in a long text, at any place', () => {
    const long = 'é𝒳z'.repeat(100_000);
    const hash = hashOf({ Note: long });
    for (const at of [0, 12_345, long.length - 1]) {
      assert.notEqual(hashOf({ Note: `${long.slice(0, at)}?${long.slice(at + 1)}` }), hash);
    }
    assert.equal(hashOf({ Note: long }), hash);
  });
});
