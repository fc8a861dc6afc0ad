import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareDateTimes, isDateTime, instantKey } from '../../../../src/core/text/time/datetime.js';
import { argv } from '../../../support/argv.js';

const date = fc.date({
  min: new Date('0001-01-02T00:00:00Z'),
  max: new Date('9999-12-30T00:00:00Z'),
  noInvalidDate: true,
});

/** The same instant, as a clock so many minutes east of UTC shows it. */
function inZone(instant: Date, minutes: number): string {
  const local = new Date(instant.getTime() + minutes * 60_000).toISOString().slice(0, -1);
  const size = Math.abs(minutes);
  const [hour, minute] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return `${local}${minutes < 0 ? '-' : '+'}${hour ?? ''}:${minute ?? ''}`;
}

describe('isDateTime', () => {
  for (const text of argv`
    2026-02-28T09:30:00 2026-02-28T09:30:00Z 2026-02-28T09:30:00+02:00 2026-02-28T09:30:00-14:00
    2026-02-28T09:30:00.1 2026-02-28T09:30:00.1234567+00:00 2026-02-28T09:30:00.123456789012345678901234567890Z
    0001-01-01T00:00:00 9999-12-31T23:59:59.9999999 2024-02-29T00:00:00 2000-02-29T00:00:00 12026-01-01T00:00:00
    -0044-03-15T12:00:00 2026-01-01T24:00:00 2026-01-01T24:00:00.000+02:00 2024-02-29T24:00:00Z
  `)
    it(`takes ${text}`, () => assert.ok(isDateTime(text)));

  for (const text of [
    ...['', '2026-02-28', '2026-02-28 09:30:00', '2026-02-28T09:30', '2026-02-28T9:30:00', '2026-2-28T09:30:00'],
    ...['26-02-28T09:30:00', '2026-02-29T00:00:00', '1900-02-29T00:00:00', '2026-04-31T00:00:00'],
    ...['2026-00-01T00:00:00', '2026-13-01T00:00:00', '2026-01-00T00:00:00', '2026-01-01T24:00:01'],
    ...['2026-01-01T24:01:00', '2026-01-01T24:00:00.0000001', '2026-01-01T25:00:00', '2026-01-01T23:60:00'],
    ...['2026-01-01T23:59:60', '2026-01-01T00:00:00.', '2026-01-01T00:00:00,5', '2026-01-01T00:00:00z'],
    ...['2026-01-01T00:00:00+2:00', '2026-01-01T00:00:00+0200', '2026-01-01T00:00:00+14:01'],
    ...['2026-01-01T00:00:00+01:60', '2026-01-01t00:00:00', ' 2026-01-01T00:00:00', '2026-01-01T00:00:00\n'],
    ...['0000-01-01T00:00:00', '02026-01-01T00:00:00', '+2026-01-01T00:00:00', 'yesterday'],
  ])
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(isDateTime(text), false));

  it('takes every day that a calendar has', () => {
    fc.assert(fc.property(date, (each) => isDateTime(each.toISOString())));
  });

  it('takes a day exactly when the calendar of the machine has it', () => {
    const day = fc.record({ year: fc.integer({ min: 1000, max: 2999 }), month: fc.nat(13), day: fc.nat(32) });
    fc.assert(
      fc.property(day, ({ year, month, day: number }) => {
        const pad = (part: number): string => String(part).padStart(2, '0');
        const found = new Date(Date.UTC(year, month - 1, number));
        const isReal = found.getUTCMonth() === month - 1 && found.getUTCDate() === number && month > 0;
        assert.equal(isDateTime(`${year}-${pad(month)}-${pad(number)}T00:00:00`), isReal);
      }),
      { numRuns: 500 },
    );
  });
});

describe('compareDateTimes', () => {
  it('orders instants by time, whatever the zones that they are told in', () => {
    const zone = fc.integer({ min: -840, max: 840 });
    fc.assert(
      fc.property(date, date, zone, zone, (left, right, leftZone, rightZone) => {
        const found = compareDateTimes(inZone(left, leftZone), inZone(right, rightZone));
        assert.equal(Math.sign(found ?? Number.NaN), Math.sign(left.getTime() - right.getTime()));
      }),
    );
  });

  it('finds the same instant in two zones equal', () => {
    fc.assert(
      fc.property(date, fc.integer({ min: -840, max: 840 }), (each, zone) => {
        assert.equal(compareDateTimes(inZone(each, zone), each.toISOString()), 0);
      }),
    );
  });

  it('orders times without zone among themselves', () => {
    assert.ok((compareDateTimes('2026-01-01T00:00:00', '2026-01-01T00:00:01') ?? 0) < 0);
    assert.equal(compareDateTimes('2026-01-01T00:00:00', '2026-01-01T00:00:00.000'), 0);
  });

  it('is exact to the last digit of a fraction', () => {
    assert.ok((compareDateTimes('2026-01-01T00:00:00.1234567', '2026-01-01T00:00:00.1234568') ?? 0) < 0);
    assert.ok((compareDateTimes('2026-01-01T00:00:00.2', '2026-01-01T00:00:00.1999999999') ?? 0) > 0);
    assert.equal(compareDateTimes('2026-01-01T00:00:00.50Z', '2026-01-01T00:00:00.5Z'), 0);
  });

  it('takes the end of a day for the start of the next', () => {
    assert.equal(compareDateTimes('2026-02-28T24:00:00', '2026-03-01T00:00:00'), 0);
    assert.equal(compareDateTimes('2026-12-31T24:00:00Z', '2027-01-01T01:00:00+01:00'), 0);
    assert.ok((compareDateTimes('2026-02-28T24:00:00', '2026-02-28T23:59:59.9999999') ?? 0) > 0);
  });

  it('says nothing when only one has a zone, or one is no dateTime', () => {
    assert.equal(compareDateTimes('2026-01-01T00:00:00Z', '2026-01-01T00:00:00'), undefined);
    assert.equal(compareDateTimes('2026-01-01T00:00:00', 'soon'), undefined);
  });

  it('orders years before the first', () => {
    assert.ok((compareDateTimes('-0001-01-01T00:00:00', '0001-01-01T00:00:00') ?? 0) < 0);
    assert.ok((compareDateTimes('-0002-12-31T00:00:00', '-0001-01-01T00:00:00') ?? 0) < 0);
  });
});

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

  it('is the same with the zone of UTC in any form, or without one', () => {
    const digits = (most: number) => fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'));
    const day = fc.tuple(fc.constantFrom('0000', '0001', '1900', '2024', '9999'), digits(13), digits(32));
    const time = fc.tuple(digits(25), digits(61), digits(61));
    const fraction = fc.constantFrom('', '.5', '.0000001', '.12345678');
    fc.assert(
      fc.property(day, time, fraction, (days, times, rest) => {
        const text = `${days.join('-')}T${times.join(':')}${rest}`;
        // Only the last one has to go by the calendar.
        assert.equal(instantKey(text), instantKey(`${text}+00:00`));
        assert.equal(instantKey(`${text}Z`), instantKey(`${text}+00:00`));
      }),
      { numRuns: 2000 },
    );
  });

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
