import assert from 'node:assert/strict';
import { dateTimeIn, dateTimeOut, serverDay } from '../../../src/sandbox/asmx/date-times.js';

describe('A dateTime that an .asmx service reads', () => {
  const taken: readonly (readonly [text: string, kept: string | undefined, why: string])[] = [
    ['2026-02-28T09:30:00', '2026-02-28T09:30:00', 'no zone stays no zone'],
    ['2026-02-28T09:30:00Z', '2026-02-28T09:30:00Z', 'UTC stays UTC'],
    ['2026-02-28T09:30:00z', '2026-02-28T09:30:00Z', 'a small z is UTC'],
    ['2026-02-28', '2026-02-28T00:00:00', 'a date is its midnight'],
    [' 2026-02-28T09:30:00\n', '2026-02-28T09:30:00', 'white space around it does not count'],
    ['2026-02-28T09:30:00+01:00', '2026-02-28T09:30:00+01:00', 'the offset of the server in winter'],
    [
      '2026-07-01T09:30:00+00:00',
      '2026-07-01T11:30:00+02:00',
      'another offset becomes the one of the server in summer',
    ],
    ['2026-01-01T00:30:00-05:30', '2026-01-01T07:00:00+01:00', 'half hours count'],
    ['2025-12-31T23:30:00+00:00', '2026-01-01T00:30:00+01:00', 'the year may change'],
    ['2026-03-29T01:30:00+00:00', '2026-03-29T03:30:00+02:00', 'the hour that is left out is not met'],
    ['9999-12-31T23:30:00-05:00', '9999-12-31T23:59:59.9999999+01:00', 'there is nothing behind the last moment'],
    ['9999-12-31T23:30:00+00:00', '9999-12-31T23:59:59.9999999+01:00', 'nor on the clock of the server'],
    ['0001-01-01T00:00:00+02:00', '0001-01-01T00:00:00+01:00', 'there is nothing before the first moment'],
    ['0001-01-01T00:30:00+01:00', '0001-01-01T00:30:00+01:00', 'the clock of the server may show it'],
    ['0001-01-01T00:00:00-05:00', '0001-01-01T06:00:00+01:00', 'long ago the server has its standard time'],
    ['2026-02-28T09:30:00+15:00', '2026-02-27T19:30:00+01:00', 'an offset that no zone has'],
    ['2026-02-28T09:30:00-99:99', '2026-03-04T15:09:00+01:00', 'an offset of any two digits'],
    ['2026', '2026-01-01T00:00:00', 'a year is its first day'],
    ['2026Z', '2026-01-01T00:00:00Z', 'a year with a zone'],
    ['2026-02:00', '2026-01-01T03:00:00+01:00', 'a year with an offset'],
    ['2026-02', '2026-02-01T00:00:00', 'a month is its first day'],
    ['09:30:00', '2026-06-15T09:30:00', 'a time is one of today'],
    ['09:30:00.5Z', '2026-06-15T09:30:00.5Z', 'a time in UTC'],
    ['2026-13', undefined, 'a month that is not there'],
    ['24:00:00', undefined, '24 o’clock of today'],
    ['2026-02-28T09:30:00.1200', '2026-02-28T09:30:00.12', 'last zeros of a fraction go'],
    ['2026-02-28T09:30:00.0', '2026-02-28T09:30:00', 'a fraction of nothing goes'],
    ['2026-02-28T09:30:00.12345678', '2026-02-28T09:30:00.1234568', 'an eighth digit is rounded'],
    ['2026-02-28T23:59:59.99999999', '2026-03-01T00:00:00', 'rounding may reach the next day'],
    ['9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59.9999999', 'the largest there is'],
    ['9999-12-31T23:59:59.99999999', undefined, 'nothing is larger'],
    ['0001-01-01T00:00:00', '0001-01-01T00:00:00', 'the smallest there is'],
    ['0000-01-01T00:00:00', undefined, 'there is no year 0'],
    ['2026-02-30T00:00:00', undefined, 'a day that is not there'],
    ['2026-02-28T24:00:00', undefined, '24 o’clock'],
    ['2026-02-28T09:30', undefined, 'no seconds'],
    ['2026-02-28 09:30:00', undefined, 'no T'],
    ['', undefined, 'nothing'],
  ];
  for (const [text, kept, why] of taken) {
    it(`'${text.trim()}': ${why}`, () =>
      assert.equal(
        dateTimeIn(text, () => '2026-06-15'),
        kept,
      ));
  }
});

describe('Today on the clock of the server', () => {
  for (const [now, day] of [
    ['2026-06-15T21:59:59Z', '2026-06-15'],
    ['2026-06-15T22:00:00Z', '2026-06-16'],
    ['2026-12-31T23:00:00Z', '2027-01-01'],
  ] as const) {
    it(`is ${day} at ${now}`, () => assert.equal(serverDay(new Date(now)), day));
  }
});

describe('A dateTime that an .asmx service writes', () => {
  const written: readonly (readonly [kept: string, text: string])[] = [
    ['2026-02-28T09:30:00.120', '2026-02-28T09:30:00.12'],
    ['2026-02-28T09:30:00.123456789Z', '2026-02-28T09:30:00.1234567Z'],
    ['2026-02-28T09:30:00.000+01:00', '2026-02-28T09:30:00+01:00'],
    ['9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59.9999999'],
    ['yesterday', 'yesterday'],
    ['', ''],
  ];
  for (const [kept, text] of written) {
    it(`'${kept}' as '${text}'`, () => assert.equal(dateTimeOut(kept), text));
  }
});
