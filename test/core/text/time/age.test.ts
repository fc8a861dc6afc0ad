import assert from 'node:assert/strict';
import { ageText } from '../../../../src/core/text/time/duration.js';

describe('An age in words', () => {
  const cases: readonly (readonly [ms: number, words: string])[] = [
    [-5, '0 seconds ago'],
    [999, '0 seconds ago'],
    [1000, '1 second ago'],
    [59_999, '59 seconds ago'],
    [60_000, '1 minute ago'],
    [7_199_999, '1 hour ago'],
    [7_200_000, '2 hours ago'],
    [86_400_000 * 40, '40 days ago'],
  ];
  for (const [ms, words] of cases) {
    it(`of ${ms} ms is ${words}`, () => {
      assert.equal(ageText(ms), words);
    });
  }
});
