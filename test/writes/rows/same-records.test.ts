import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SameRecords } from '../../../src/writes/check.js';

describe('SameRecords', () => {
  it('finds the line of the first row of each key, as a map does', () => {
    const keys = fc.array(fc.string({ maxLength: 3 }), { maxLength: 3000, size: 'max' });
    fc.assert(
      fc.property(keys, (all) => {
        const same = new SameRecords();
        const lines = new Map<string, number>();
        for (const [index, key] of all.entries()) {
          assert.equal(same.before(key, index + 2), lines.get(key));
          if (!lines.has(key)) lines.set(key, index + 2);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('keeps many keys', () => {
    const same = new SameRecords();
    for (let line = 1; line <= 20_000; line += 1) assert.equal(same.before(`key ${line}`, line), undefined);
    for (let line = 1; line <= 20_000; line += 1) assert.equal(same.before(`key ${line}`, 1), line);
  });
});
