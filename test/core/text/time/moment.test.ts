import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareDateTimes, isDateTime } from '../../../../src/core/text/time/datetime.js';
import { momentOf, readMoment } from '../../../../src/core/text/time/moment.js';

/** Five past midnight in Amsterdam, on the day that summer time begins. */
const place = { nowMs: Date.parse('2026-03-28T23:05:06.789Z'), zone: 'Europe/Amsterdam' };

describe('A moment as people write it', () => {
  const known: Readonly<Record<string, string>> = {
    now: '2026-03-29T00:05:06+01:00',
    today: '2026-03-29T00:00:00+01:00',
    yesterday: '2026-03-28T00:00:00+01:00',
    tomorrow: '2026-03-30T00:00:00+02:00',
    '-7d': '2026-03-22T00:05:06+01:00',
    '+2h': '2026-03-29T03:05:06+02:00',
    '-90m': '2026-03-28T22:35:06+01:00',
    '-0s': '2026-03-29T00:05:06+01:00',
    '+1w': '2026-04-05T01:05:06+02:00',
    '-1h30m': '2026-03-28T22:35:06+01:00',
    '-7D': '2026-03-22T00:05:06+01:00',
    '2026-01-31': '2026-01-31T00:00:00+01:00',
    '2026-07-31T09:30': '2026-07-31T09:30:00+02:00',
    '2026-07-31 09:30:15': '2026-07-31T09:30:15+02:00',
    '2026-07-31T09:30:15.1234567': '2026-07-31T09:30:15.1234567+02:00',
    '2026-07-31T09:30:15.123456789': '2026-07-31T09:30:15.123456789+02:00',
    '2026-07-31T09:30Z': '2026-07-31T09:30:00Z',
    '2026-07-31T09:30:15.5-05:30': '2026-07-31T09:30:15.5-05:30',
    '2024-02-29': '2024-02-29T00:00:00+01:00',
    // .NET takes no 24 o'clock.
    '2026-01-31T24:00': '2026-02-01T00:00:00+01:00',
    '2026-12-31 24:00:00.000': '2027-01-01T00:00:00.000+01:00',
    '2024-02-28T24:00:00Z': '2024-02-29T00:00:00Z',
    // Summer time begins: the day before ends an hour before it.
    '2026-03-28T24:00': '2026-03-29T00:00:00+01:00',
    '0001-01-01': '0001-01-01T00:00:00',
    '0001-01-01T00:00:00': '0001-01-01T00:00:00',
  };
  for (const [text, moment] of Object.entries(known)) {
    it(`is ${moment} for ${text}`, () => assert.equal(momentOf(text, place), moment));
  }

  const none = [
    ...[
      ...['', ' ', 'NOW', 'morgen', '7d', '-7', '-7x', '-500ms', '-30m1h', '- 7d', '-1234567d', '+999999w'],
      ...['-999999w', '-150000w', '--7d', '+', '-d'],
    ],
    ...['2026-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '26-01-01', '20260131', '31-01-2026', '2026-W05'],
    ...[
      ...['2026-01-31T24:01', '9999-12-31T24:00', '2026-01-31T9:30', '2026-01-31T', '2026-01-31T09'],
      ...['2026-01-31T09:60', '09:30'],
    ],
    ...['2026-01-31T09:30:00z', '2026-01-31T09:30:00+1', '2026-01-31T09:30:00+15:00', '2026-01-31T09:30 Z'],
    ...['2026-01-31T09:30:00.', '0000-01-01', '12026-01-01T00:00:00Z', '2026-01-31\n', '__proto__', 'toString'],
  ];
  for (const text of none) it(`is none: ${JSON.stringify(text)}`, () => assert.equal(momentOf(text, place), undefined));

  it('is a dateTime with a zone, whatever is typed', () => {
    const pieces = fc.constantFrom(
      '2026-03-29',
      '9999-12-31',
      '0001-01-01',
      'T',
      ' ',
      '02:30',
      ':59',
      '.9',
      'Z',
      '+02:00',
      '-7d',
      'now',
    );
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join('')),
      fc
        .tuple(fc.constantFrom('+', '-'), fc.nat({ max: 999_999 }), fc.constantFrom('s', 'm', 'h', 'd', 'w'))
        .map((parts) => parts.join('')),
      fc.string(),
    );
    fc.assert(
      fc.property(texts, fc.constantFrom('UTC', 'Europe/Amsterdam', 'America/St_Johns'), (text, zone) => {
        const moment = momentOf(text, { ...place, zone });
        if (moment === undefined) return;
        assert.ok(isDateTime(moment), `${text} gave ${moment}`);
        // Nothing lies before it in any zone.
        if (moment !== '0001-01-01T00:00:00') assert.match(moment, /(?:Z|[+-]\d\d:\d\d)$/);
      }),
      { numRuns: 1000 },
    );
  });

  it('that a clock shows twice or never is the earlier or the later instant, as asked, and is told of', () => {
    const of = (text: string): readonly unknown[] =>
      (['earlier', 'later'] as const).map((side) => {
        const moment = readMoment(text, { ...place, side });
        return [moment?.text, moment?.doubt];
      });
    assert.deepEqual(of('2026-10-25T02:30'), [
      ['2026-10-25T02:30:00+02:00', 'twice'],
      ['2026-10-25T02:30:00+01:00', 'twice'],
    ]);
    assert.deepEqual(of('2026-03-29T02:30:15.1234567'), [
      ['2026-03-29T01:30:15.1234567+01:00', 'never'],
      ['2026-03-29T03:30:15.1234567+02:00', 'never'],
    ]);
    assert.deepEqual(of('2026-10-25T02:30:00+02:00')[0], ['2026-10-25T02:30:00+02:00', undefined]);
    assert.deepEqual(of('2026-10-25')[0], ['2026-10-25T00:00:00+02:00', undefined]);
  });

  it('of now is the instant that it is, also in the second of two hours that look the same', () => {
    const second = { nowMs: Date.parse('2026-10-25T01:30:00Z'), zone: 'Europe/Amsterdam' };
    assert.equal(momentOf('now', second), '2026-10-25T02:30:00+01:00');
    assert.equal(momentOf('-1h', second), '2026-10-25T02:30:00+02:00');
  });

  it('keeps the order of the instants that it is asked for', () => {
    const hours = fc.integer({ min: -20_000, max: 20_000 });
    const written = (count: number): string => momentOf(`${count < 0 ? '-' : '+'}${Math.abs(count)}h`, place) ?? '';
    fc.assert(
      fc.property(hours, hours, (left, right) => {
        assert.equal(Math.sign(compareDateTimes(written(left), written(right)) ?? NaN), Math.sign(left - right));
      }),
    );
  });
});
