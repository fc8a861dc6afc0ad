import assert from 'node:assert/strict';
import type { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { refuseShrink } from '../../../src/lists/export/shrink.js';

const isRefused = (before: number, now: number, mostPercent?: number): boolean => {
  try {
    refuseShrink({ before, now, mostPercent }, 'list.csv', (flag) => `again ${flag}`);
    return false;
  } catch {
    return true;
  }
};

describe('A list with fewer rows than before', () => {
  for (const [before, now, mostPercent, refused] of [
    [100, 49, undefined, true],
    [100, 50, undefined, false],
    [99, 0, undefined, false],
    [0, 0, 0, false],
    [100, 200, 0, false],
    [100, 100, 0, false],
    [10, 9, 0, true],
    [10, 9, 10, false],
    [1000, 899, 10, true],
    [1000, 0, 99, true],
    [1000, 0, 100, false],
  ] as const) {
    const bound = mostPercent === undefined ? 'no bound given' : `at most ${mostPercent} % allowed`;
    it(`is ${refused ? 'refused' : 'taken'}: ${before}, then ${now}, ${bound}`, () => {
      assert.equal(isRefused(before, now, mostPercent), refused);
    });
  }

  it('is refused with both counts and the flag that allows it', () => {
    assert.throws(
      () => refuseShrink({ before: 3000, now: 1001, mostPercent: undefined }, 'list.csv', (flag) => `again ${flag}`),
      (error: RelctlError) => {
        assert.equal(error.message, 'the list has 1001 rows, and list.csv had 3000: 67 % fewer; the limit is 50 %');
        assert.deepEqual([error.kind, error.exitCode, error.hint], ['partial', 8, 'again --max-shrink 67']);
        return true;
      },
    );
  });
});
