import assert from 'node:assert/strict';
import { inBatches, recordBatches } from '../../../src/core/values/value.js';
import { valuesOf } from '../../support/thrown.js';

describe('inBatches', () => {
  it('gives all items in their order, the last ones in a smaller array, and none for none', () => {
    assert.deepEqual([...inBatches([1, 2, 3, 4, 5], 2)], [[1, 2], [3, 4], [5]]);
    assert.deepEqual(
      [...inBatches([1, 2, 3, 4], 2)],
      [
        [1, 2],
        [3, 4],
      ],
    );
    assert.deepEqual([...inBatches([], 2)], []);
  });
});

describe('recordBatches', () => {
  it('gives all records in their order, fewer together where their texts are long', () => {
    const long = 'x'.repeat(3 * 1024 * 1024);
    const texts = ['a', 'b', 'c', 'd', long, long, 'e', 'f', 'g', 'h', 'i'];
    const records = texts.map((Name, at) => ({ Id: String(at), Inner: { Items: [{ Name }] } }));
    const batches = [...recordBatches(records, 4)];
    assert.deepEqual(batches.flat(), records);
    assert.deepEqual(valuesOf(batches, 'length'), [4, 2, 4, 1]);
    assert.deepEqual([...recordBatches([], 3)], []);
  });
});
