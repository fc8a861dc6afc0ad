import { strict as assert } from 'node:assert';
import { operations } from '../../src/contract/service.js';
import { writeFactsOf } from '../../src/contract/writes.js';

describe('what the contract says of writes', () => {
  it('describes each operation that changes something, and no other', () => {
    const all = Object.values(operations);
    const described = all.filter(({ name }) => writeFactsOf(name) !== undefined).map(({ name }) => name);
    const changing = all.filter(({ access }) => access !== 'read').map(({ name }) => name);
    assert.deepEqual(described.sort(), changing.sort());
    assert.equal(described.length, 7);
  });
});
