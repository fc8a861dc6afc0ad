import assert from 'node:assert/strict';
import fc from 'fast-check';
import { serialTime } from '../../../../src/formats/writers/workbook/cells.js';

describe('A time as a spreadsheet holds it', () => {
  // The days are from the documentation of spreadsheets: 1 is the first of January 1900, by the count that has a 29th of
  // February in that year.
  for (const [text, serial, code] of [
    ['1900-03-01T00:00:00', 61, 'yyyy\\-mm\\-dd hh:mm:ss'],
    ['2008-01-01T12:00:00', 39_448.5, 'yyyy\\-mm\\-dd hh:mm:ss'],
    ['2026-01-31T06:00:00Z', 46_053.25, 'yyyy\\-mm\\-dd hh:mm:ss"Z"'],
    ['2026-01-31T18:00:00+01:00', 46_053.75, 'yyyy\\-mm\\-dd hh:mm:ss"+01:00"'],
    ['2026-01-31T18:00:00.50-11:30', 46_053.75 + 0.5 / 86_400, 'yyyy\\-mm\\-dd hh:mm:ss.00"-11:30"'],
    ['9999-12-31T00:00:00', 2_958_465, 'yyyy\\-mm\\-dd hh:mm:ss'],
  ] as const) {
    it(`is ${serial} for ${text}`, () => assert.deepEqual(serialTime(text), { serial, code }));
  }

  for (const [text, why] of [
    ['1900-02-28T23:59:59.999', 'the days before March 1900 are counted otherwise'],
    ['1753-01-01T00:00:00', 'there are no days before 1900'],
    ['0001-01-01T00:00:00', 'the same'],
    ['10000-01-01T00:00:00', 'the last year is 9999'],
    ['2026-01-31T09:30:00.1234', 'a format shows three digits'],
    ['9999-12-31T23:59:59.9999999', 'the same'],
    ['2026-01-31T24:00:00', 'it would be shown as the next day'],
    ['2026-02-29T09:30:00', 'there is no such day'],
    ['2026-01-31', 'it is no time'],
    ['', 'it is nothing'],
  ] as const) {
    it(`is a text for '${text}': ${why}`, () => assert.equal(serialTime(text), undefined));
  }

  it('gives the time back to the millisecond', () => {
    const first = Date.parse('1900-03-01T00:00:00Z');
    const last = Date.parse('9999-12-31T23:59:59.999Z');
    fc.assert(
      fc.property(fc.integer({ min: first, max: last }), (ms) => {
        const found = serialTime(new Date(ms).toISOString());
        // What a reader does: the 1st of January 1970 is day 25,569.
        assert.equal(Math.round(((found?.serial ?? 0) - 25_569) * 86_400_000), ms);
      }),
    );
  });
});
