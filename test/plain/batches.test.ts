import assert from 'node:assert/strict';
import { inBatches } from '../../src/plain/batches.js';

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
