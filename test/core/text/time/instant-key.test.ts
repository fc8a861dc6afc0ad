import assert from 'node:assert/strict';
import fc from 'fast-check';
import { instantKey } from '../../../../src/core/text/time/datetime.js';

describe('The sort key of a dateTime', () => {
  const cases: readonly (readonly [text: string, key: string | undefined])[] = [
    ['2026-03-29T01:30:00', '2026-03-29T01:30:00.0000000Z'],
    ['2026-03-29T01:30:00Z', '2026-03-29T01:30:00.0000000Z'],
    ['2026-03-29T01:30:00+02:00', '2026-03-28T23:30:00.0000000Z'],
    ['2026-03-28T23:30:00.1234567-05:30', '2026-03-29T05:00:00.1234567Z'],
    ['2026-03-29', '2026-03-29T00:00:00.0000000Z'],
    ['0001-01-01T00:00:00', '0001-01-01T00:00:00.0000000Z'],
    ['0001-01-01T00:00:00+01:00', '0001-01-01T00:00:00.0000000Z'],
    ['9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59.9999999Z'],
    ['9999-12-31T23:59:59-01:00', '9999-12-31T23:59:59.9999999Z'],
    ['yesterday', undefined],
    ['', undefined],
  ];
  for (const [text, key] of cases) {
    it(`of ${text === '' ? 'nothing' : text} is ${key ?? 'none'}`, () => assert.equal(instantKey(text), key));
  }

  it('sorts as time does', () => {
    const date = fc.date({
      min: new Date('0002-01-01T00:00:00Z'),
      max: new Date('9998-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, date, (a, b) => {
        const [first = '', second = ''] = [instantKey(a.toISOString()), instantKey(b.toISOString())];
        assert.equal(Math.sign(a.getTime() - b.getTime()), first < second ? -1 : first > second ? 1 : 0);
      }),
    );
  });
});
