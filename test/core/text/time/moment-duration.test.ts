import assert from 'node:assert/strict';
import fc from 'fast-check';
import { durationText, readDuration, readSeconds, ageText } from '../../../../src/core/text/time/moment.js';

describe('A length of time', () => {
  for (const [text, ms] of [
    ['500ms', 500],
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
    ['1w', 604_800_000],
    ['1.5h', 5_400_000],
    ['1h30m', 5_400_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['30S', 30_000],
    ['0s', 0],
  ] as const)
    it(`of ${text} is ${ms} ms, with or without a unit being needed`, () => {
      assert.equal(readDuration(text), ms);
      assert.equal(readSeconds(text), ms);
    });

  for (const text of [
    ...['', ' ', '30', '-30s', '+30s', '30 s', '30sec', '5min', '30m1h', '5m5m', 's', '1,5h', '.5h', '1.2345s'],
    ...['1e3s', '9999999999s', 'constructor'],
  ])
    it(`is not ${JSON.stringify(text)}`, () => assert.equal(readDuration(text), undefined));

  it('counts seconds where a number without a unit is taken', () => {
    assert.deepEqual(
      [readSeconds('30'), readSeconds('0'), readSeconds('1.5'), readSeconds('-1')],
      [30_000, 0, undefined, undefined],
    );
  });

  it('is told in a unit that loses nothing', () => {
    const told = [0, 1500, 90_000, 3_600_000, 86_400_000, 604_800_000].map(durationText);
    assert.deepEqual(told, ['0s', '1500ms', '90s', '1h', '1d', '7d']);
    fc.assert(fc.property(fc.nat(), (ms) => assert.equal(readDuration(durationText(ms)), ms)));
  });
});

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
